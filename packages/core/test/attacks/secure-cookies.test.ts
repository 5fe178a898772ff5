import { captureLog, frozenClock, visit } from "@latchkey/testing"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { expect, test } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { csrfPair, secret, sessionOf, typed } from "../http/app.js"
import { cookiesOf, type Door, door, warnings } from "./door-setup.js"

const production = { url: undefined, trustHost: ["app.test"], environment: "production" } as const

/** How a request of a public site says that it came over http. */
const plain: readonly (readonly [at: string, headers: Record<string, string>])[] = [
  ["https://app.test", { "x-forwarded-proto": "http" }],
  ["https://app.test", { "x-forwarded-proto": "HTTP, https" }],
  ["http://app.test", {}],
  ["http://app.test:8080", {}],
  ["http://10.0.0.7:3000", { "x-forwarded-host": "app.test", "x-forwarded-proto": "http" }],
]

attack("CK-06", "no request makes the cookies of a public site in production insecure", async (mode) => {
  for (const [at, headers] of plain) {
    const app = door(mode, production, at)
    const send = async (path: string, init: RequestInit = {}) =>
      app.send(path, {
        ...init,
        headers: { ...headers, origin: "https://app.test", "sec-fetch-site": "same-origin", ...init.headers },
      })
    const { token, cookie } = await csrfPair(send)
    const body = new URLSearchParams({ csrfToken: token, name: "ada", password: "open" })
    const signedIn = await send("/auth/callback/credentials", { method: "POST", body, headers: { cookie } })
    const begun = await send("/auth/signin/op", { method: "POST", body, headers: { cookie } })
    const lines = [signedIn, begun].flatMap((response) => response.headers.getSetCookie())
    expect(lines.length, at).toBeGreaterThan(1)
    for (const line of lines) {
      expect(line, at).toMatch(/; Secure/)
      expect(line, at).toMatch(/^__(?:Host|Secure)-/)
    }
    const session = await send("/auth/session", { headers: { cookie: cookiesOf(signedIn) } })
    expect(await session.json(), at).toMatchObject({ user: { name: "ada" } })
    expect(reported(app), at).toHaveLength(1)
  }
})

attack("CK-06", "an insecure cookie isn't accepted on a public site in production", async (mode) => {
  for (const [at, headers] of plain) {
    const app = door(mode, { ...production, adapter: undefined, session: { strategy: "jwt" }, providers: [typed] }, at)
    const cookie = `authjs.session-token=${await sessionOf({}, 60, "authjs.session-token")}`
    const response = await app.get("/auth/session", { ...headers, cookie })
    expect([await response.json(), response.headers.getSetCookie()], at).toEqual([null, []])
  }
})

function reported(app: Door): readonly string[] {
  return warnings(app).filter((text) => text.includes("insecure-request"))
}

/** What only a browser that sees https sends. */
const overHttps: readonly Readonly<Record<string, string>>[] = [
  { "sec-fetch-site": "none" },
  { origin: "https://app.test" },
  { cookie: "a=1; __Host-authjs.csrf-token=x" },
]

test("CK-06 [compatible] with `trustHost: true`, no request makes the cookies of a browser that uses https insecure", async () => {
  for (const [at, headers] of plain) {
    for (const evidence of overHttps) {
      const app = door("compatible", { ...production, trustHost: true }, at)
      const { headers: answered } = await app.get("/auth/csrf", { ...headers, ...evidence })
      for (const line of answered.getSetCookie()) expect(line, at).toMatch(/^__(?:Host|Secure)-.*; Secure/)
      const token = await sessionOf({}, 60, "authjs.session-token")
      const planted = `${evidence["cookie"] ?? "b=2"}; authjs.session-token=${token}`
      const session = await app.get("/auth/session", { ...headers, ...overHttps[0], ...evidence, cookie: planted })
      expect(await session.json(), at).toBeNull()
    }
  }
})

test("a public site without https signs users in with `trustHost: true`, as in Auth.js v5, and the log warns once", async () => {
  const { logger, entries } = captureLog()
  const config = { secret, trustHost: true, environment: "production", providers: [typed], logger } as const
  const browser = await visit(config, { origin: "http://erp.company.example", clock: frozenClock() })
  await browser.get("/auth/signin")
  await browser.submitForm(0, { name: "ada", password: "open" })
  expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
  await browser.get("/auth/signout")
  await browser.submitForm(0)
  expect([await browser.session(), browser.cookies.filter(({ secure }) => secure)]).toEqual([null, []])
  expect(entries.filter(({ message }) => message === "insecure-request")).toHaveLength(1)
})

test("under strict, a public site that leaves its scheme to the request is refused, and the log says what to set", async () => {
  const { logger, entries } = captureLog()
  const config = { secret, trustHost: true, environment: "production", providers: [typed], logger } as const
  const browser = await visit({ ...config, security: "strict" }, { origin: "http://erp.company.example" })
  expect((await browser.get("/auth/signin")).status).toBe(500)
  expect(entries.map(({ message }) => message).join()).toContain("Set AUTH_URL to the URL of this site")
})

/** Sites that Auth.js serves over http. */
const insecure: readonly (readonly [rest: Partial<AuthConfig>, at: string])[] = [
  [{ url: "http://app.test/auth" }, "http://app.test"],
  [{ trustHost: ["http://app.test"] }, "http://app.test"],
  [{ trustHost: ["app.test"], useSecureCookies: false }, "http://app.test"],
  [{ trustHost: ["app.test"], environment: "development" }, "http://app.test"],
  [{ trustHost: ["localhost"] }, "http://localhost:3000"],
  [{ trustHost: ["127.0.0.1"] }, "http://127.0.0.1:3000"],
  [{ trustHost: ["192.168.1.5"] }, "http://192.168.1.5"],
  [{ trustHost: ["intranet"] }, "http://intranet"],
  [{ trustHost: ["printer.local"] }, "http://printer.local"],
]

attack("CK-06", "a site that isn't public, or is configured for http, has cookies for http", async (mode) => {
  for (const [rest, at] of insecure) {
    const app = door(mode, { ...production, ...rest }, at)
    const { cookie } = await csrfPair(app.send)
    expect([cookie.split("=", 1)[0], reported(app)], at).toEqual(["authjs.csrf-token", []])
  }
})

attack("CK-06", "behind a proxy that doesn't send X-Forwarded-Proto, AUTH_URL decides", async (mode) => {
  const app = door(mode, { environment: "production" }, "http://10.0.0.7:3000")
  const { cookie } = await csrfPair(app.send)
  expect([cookie.split("=", 1)[0], reported(app)]).toEqual(["__Host-authjs.csrf-token", []])
  const server = createServer({ secret, logger: app.log.logger, providers: [], security: mode, ...production })
  const headers = new Headers({ host: "app.test", "x-forwarded-proto": "http" })
  expect(await server.session({ headers })).toMatchObject({ session: null, cookies: [] })
})
