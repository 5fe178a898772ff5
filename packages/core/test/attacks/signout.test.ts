import type { AuthConfig } from "@latchkey/core/types"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"
import { csrfCookie, csrfPair, location, origin, setCookies } from "../http/app.js"
import { whoIs } from "../modes/setup.js"
import { bare, form, site } from "./surface-setup.js"

const names = (mode: Mode) =>
  (mode === "strict" ? ["__Host-", "__Secure-"] : ["__Secure-"]).map((prefix) => `${prefix}authjs.session-token`)

attack(
  "OUT-02",
  "sign-out deletes all chunks of the session cookie, also under its former name, with the same attributes",
  async (mode) => {
    const { post } = bare(mode)
    const sent = names(mode).flatMap((name) => [name, ...Array.from({ length: 12 }, (_, part) => `${name}.${part}`)])
    const response = await post("/auth/signout", {}, { cookie: sent.map((name) => `${name}=x`).join("; ") })
    const removed = setCookies(response).filter((line) => line.includes("session-token"))
    const [first = ""] = removed
    expect(removed.map((line) => line.split("=", 1)[0]).toSorted()).toEqual(sent.toSorted())
    for (const line of removed)
      expect(line.slice(line.indexOf("="))).toBe("=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax")
    expect(first).not.toBe("")
  },
)

attack("OUT-02", "sign-out tells browsers and caches to discard pages of the session", async (mode) => {
  const { browser } = await site(mode)
  await browser.signIn("credentials", { name: "ada", password: "open" })
  await browser.signOut()
  const [out] = browser.trail
  expect(out?.headers.get("clear-site-data")).toBe('"cache"')
  expect(out?.headers.get("cache-control")).toContain("no-store")
  expect(browser.cookies.filter(({ name }) => name.includes("session-token"))).toEqual([])
  expect(await browser.session()).toBeNull()
  const { post, get } = bare(mode)
  const asked = await post("/auth/signout", {}, { "x-auth-return-redirect": "1" })
  expect([asked.status, asked.headers.get("clear-site-data")]).toEqual([200, '"cache"'])
  for (const response of [await get("/auth/signout"), await get("/auth/session"), await post("/auth/signin/op")])
    expect(response.headers.has("clear-site-data")).toBe(false)
})

attack("OUT-02", "no kept cookie or page restores the session after sign-out", async (mode) => {
  const strategies = mode === "strict" ? (["jwt", "database"] as const) : (["database"] as const)
  for (const strategy of strategies) {
    const { its, browser } = await site(mode, { session: { strategy } })
    await browser.signInWith(its.op, { as: "ada" })
    const kept = browser.fresh()
    for (const cookie of browser.cookies) kept.jar.put(cookie)
    expect(await whoIs(kept)).toBe("ada@example.test")
    await browser.signOut()
    expect(await kept.session()).toBeNull()
    expect(its.adapter.rows().sessions).toEqual([])
  }
})

/** The headers of requests that another site can cause. */
const foreign: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "a form of another site": {
    origin: "https://evil.test",
    "sec-fetch-site": "cross-site",
    "sec-fetch-dest": "document",
  },
  "a form of a sibling host": { origin: "https://evil.app.test", "sec-fetch-site": "same-site" },
  "a frame without an origin": { origin: "null", "sec-fetch-site": "cross-site", "sec-fetch-dest": "iframe" },
  "an old browser": { origin: "https://evil.test" },
  "an old browser in a sandbox": { origin: "null" },
  "a look-alike origin": { origin: "https://app.test.evil.test" },
  "a browser without these headers": {},
}

const none = { sessionToken: { options: { sameSite: "none" } }, csrfToken: { options: { sameSite: "none" } } } as const

attack("OUT-03", "a form of another origin does not sign out, even with SameSite=None", async (mode) => {
  for (const rest of [{}, { cookies: none }] satisfies Partial<AuthConfig>[]) {
    const { browser } = await site(mode, rest)
    await browser.signIn("credentials", { name: "ada", password: "open" })
    const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
    const { send } = bare(mode, rest)
    for (const [name, headers] of Object.entries(foreign)) {
      for (const body of ["", "csrfToken=", `csrfToken=${"a".repeat(64)}`, "_method=post&callbackUrl=/"]) {
        const response = await send("/auth/signout", {
          ...form(body),
          headers: { ...form(body).headers, ...headers, cookie },
        })
        expect([name, location(response)]).toEqual([name, `${origin}/auth/signin?error=MissingCSRF`])
        expect(setCookies(response)).toEqual([])
        expect(response.headers.has("clear-site-data")).toBe(false)
      }
    }
  }
})

attack("OUT-03", "a valid CSRF token of the attacker does not help another site", async (mode) => {
  const { send } = bare(mode)
  const { token, cookie } = await csrfPair(send)
  const victims = `${names(mode)[0]}=session; ${csrfCookie}=${"b".repeat(64)}%7C${"c".repeat(64)}`
  const body = `csrfToken=${token}`
  const tries: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
    ["its token with the victim's cookie", { cookie: victims }],
    ["its token before the victim's cookie", { cookie: `${victims}; ${cookie}` }],
    ["its token in a pair that it made up", { cookie: `${csrfCookie}=${token}%7C${"d".repeat(64)}` }],
    ["both, from another site", { cookie, "sec-fetch-site": "cross-site" }],
    ["both, from an origin that is not ours", { cookie, origin: "https://evil.test" }],
    ["both, from no origin", { cookie, origin: "null" }],
    ["the cookie under a name without prefix", { cookie: cookie.replace("__Host-", "") }],
  ]
  for (const [name, headers] of tries) {
    const response = await send("/auth/signout", { ...form(body), headers: { ...form(body).headers, ...headers } })
    expect([name, location(response)]).toEqual([name, `${origin}/auth/signin?error=MissingCSRF`])
    expect(setCookies(response).filter((line) => line.includes("session-token"))).toEqual([])
  }
})

attack("OUT-03", "no image, frame, prefetch, HEAD request or unknown method signs out", async (mode) => {
  const { its, browser } = await site(mode, { session: { strategy: "database" } })
  await browser.signInWith(its.op, { as: "ada" })
  const from = "https://evil.test/page"
  for (const query of [
    "",
    "?callbackUrl=/",
    "?sid=wrong&iss=https://op.test",
    "?csrfToken=x",
    "?_method=POST",
    "?logout=1",
  ]) {
    for (const dest of ["image", "iframe", "empty", "document"]) {
      const headers = { "sec-fetch-dest": dest, "x-http-method-override": "POST", "sec-purpose": "prefetch" }
      await browser.get(`/auth/signout${query}`, { from, headers })
      await browser.fetch(`/auth/signout${query}`, { from, headers, method: "HEAD" })
      await browser.fetch(`/auth/signout${query}`, { from, headers, method: "PUT" }).catch(() => undefined)
    }
  }
  expect(await whoIs(browser)).toBe("ada@example.test")
  expect(its.adapter.rows().sessions).toHaveLength(1)
})

attack("OUT-03", "there is no route for front-channel logout", async (mode) => {
  const { its, browser } = await site(mode, { session: { strategy: "database" } })
  await browser.signInWith(its.op, { as: "ada" })
  for (const path of ["frontchannel-logout", "backchannel-logout", "logout", "signout/op", "signout/op?sid=wrong"])
    expect((await browser.get(`/auth/${path}`, { from: its.op.issuer })).status).toBe(404)
  expect(await whoIs(browser)).toBe("ada@example.test")
})
