import { createHash } from "node:crypto"
import { expect } from "vitest"
import { attack, strictAttack } from "../../../../tests/attack.js"
import { emailOf, errorAt, hasSession, intercept } from "../flows/signin/setup.js"
import { strongSecret } from "../modes/setup.js"
import { confirm, linkWith, type Site, site, tokenOf, victim } from "./email-setup.js"

const random = "f".repeat(64)

/** Every short-lived value in the cookies and requests of this browser. */
async function shortLived({ browser }: Site): Promise<string[]> {
  const csrf = (await browser.csrf()) ?? ""
  await browser.post("/auth/signin/op", { csrfToken: csrf })
  const cookies = browser.cookies.flatMap(({ value }) => [value, ...value.split("|")])
  const { searchParams } = new URL(browser.location)
  const sent = ["state", "nonce", "code_challenge"].map((name) => searchParams.get(name) ?? "")
  return [csrf, ...sent, ...cookies].filter((value) => value !== "")
}

attack(
  "ADV-BA-14",
  "no value of another purpose is accepted as an email token, and none is consumed by trying",
  async (mode) => {
    const its = await site(mode)
    await its.browser.signIn("email", { email: victim })
    const values = await shortLived(its)
    expect(values.length).toBeGreaterThan(5)
    const authorization = its.browser.location
    for (const token of values) {
      const link = linkWith(its.mail.link(), { token })
      await its.browser.clone().get(link)
      const guesser = its.browser.clone()
      await confirm(guesser, { token, email: victim })
      expect(errorAt(guesser)).toBe("/auth/error Verification")
      expect(hasSession(guesser)).toBe(false)
    }
    expect(its.store.rows().verificationTokens).toHaveLength(1)
    // The sign-in at the provider can still finish.
    await its.browser.follow(await its.op.authorize(authorization, { as: "ada" }), its.op.issuer)
    expect(await emailOf(its.browser)).toBe("ada@example.test")
  },
)

attack(
  "ADV-BA-14",
  "the token of a link is not accepted as state, CSRF token or session, and is not consumed",
  async (mode) => {
    const { browser, mail, store, op } = await site(mode)
    await browser.signIn("email", { email: victim })
    const token = tokenOf(mail.link())
    const [row] = store.rows().verificationTokens
    const bound = browser.cookies.find(({ name }) => name.includes("nonce"))?.value ?? ""
    for (const value of [token, row?.token ?? "", bound]) {
      const thief = browser.fresh()
      await thief.get(`/auth/callback/op?code=c&state=${encodeURIComponent(value)}`, { from: op.issuer })
      expect(errorAt(thief)).toBe("/auth/error Configuration")
      for (const name of ["authjs.session-token", "authjs.csrf-token", "authjs.state"]) {
        for (const prefix of ["__Secure-", "__Host-"]) {
          const headers = { cookie: `${prefix}${name}=${value}; ${prefix}${name}.${value.slice(-10)}=${value}` }
          expect(await (await thief.fetch("/auth/session", { headers })).json()).toBeNull()
          const post = { csrfToken: value, email: "eve@example.test" }
          await thief.post("/auth/signin/email", post, { headers, from: browser.origin })
          expect(errorAt(thief)).toBe("/auth/signin MissingCSRF")
        }
      }
    }
    expect(mail.sent).toHaveLength(1)
    await browser.get(mail.link())
    expect(await emailOf(browser)).toBe(victim)
  },
)

strictAttack(
  "ADV-BA-14",
  "keys",
  "a CSRF cookie made from the token of a link and its stored hash is refused",
  async (mode) => {
    const { browser, mail, store } = await site(mode)
    await browser.signIn("email", { email: victim })
    const token = tokenOf(mail.link())
    const hash = store.rows().verificationTokens[0]?.token ?? ""
    expect(hash).not.toBe(createHash("sha256").update(`${token}${strongSecret}`).digest("hex"))
    const forger = browser.fresh()
    const headers = { cookie: `__Host-authjs.csrf-token=${token}|${hash}` }
    await forger.post("/auth/signin/email", { csrfToken: token, email: victim }, { headers })
    expect(errorAt(forger)).toBe("/auth/signin MissingCSRF")
  },
)

const scanners = [
  {},
  { "sec-purpose": "prefetch" },
  { "sec-purpose": "prefetch;prerender" },
  { purpose: "prefetch" },
  { "user-agent": "Mozilla/5.0 (compatible; MSIE 10.0) SafeLinks" },
]

attack(
  "MAIL-01",
  "a link scanner gets a page with a button and no session; the user can still sign in",
  async (mode) => {
    const { browser, mail, store, calls } = await site(mode)
    await browser.signIn("email", { email: victim })
    calls.length = 0
    for (const headers of scanners) {
      const scanner = browser.fresh()
      const head = await scanner.fetch(mail.link(), { method: "HEAD", headers })
      expect([head.status, await head.text(), head.headers.getSetCookie()]).toEqual([200, "", []])
      await scanner.get(mail.link(), { headers })
      expect(scanner.response.status).toBe(200)
      expect(scanner.forms).toMatchObject([{ method: "POST", auto: false, fields: { csrfToken: expect.any(String) } }])
      // Without the cookie of the page, the CSRF token in the form is invalid.
      await browser.fresh().post("/auth/callback/email", scanner.forms[0]?.fields ?? {}, { from: browser.origin })
      expect(hasSession(scanner)).toBe(false)
    }
    expect(new Set(calls)).toEqual(new Set(["getVerificationToken"]))
    expect(store.rows().verificationTokens).toHaveLength(1)
    const phone = browser.fresh()
    await phone.get(mail.link())
    await phone.submitForm(0)
    expect(await emailOf(phone)).toBe(victim)
  },
)

attack("MAIL-01", "a prefetch or HEAD in the requesting browser consumes nothing", async (mode) => {
  const { browser, mail, store } = await site(mode)
  await browser.signIn("email", { email: victim })
  await browser.fetch(mail.link(), { method: "HEAD" })
  await browser.fetch(mail.link())
  for (const headers of scanners.slice(1, 4)) {
    await browser.clone().get(mail.link(), { headers })
    expect(store.rows().verificationTokens).toHaveLength(1)
  }
  await browser.get(mail.link())
  expect(await emailOf(browser)).toBe(victim)
})

attack(
  "MAIL-12",
  "responses to a link are not cached, send no referrer and load nothing from other sites",
  async (mode) => {
    const logo = "https://images.evil.test/logo.png"
    const { browser, mail } = await site(mode, { rest: { theme: { logo } } })
    await browser.signIn("email", { email: victim })
    const elsewhere = browser.fresh()
    await elsewhere.get(mail.link())
    const shown = elsewhere.response
    const text = elsewhere.text
    await elsewhere.submitForm(0)
    await browser.get(linkWith(mail.link(), { token: random }))
    await browser.get(mail.link())
    for (const answer of [shown, elsewhere.trail[0], browser.trail[0]]) {
      expect(answer?.headers.get("referrer-policy")).toBe("no-referrer")
      expect(answer?.headers.get("cache-control")).toContain("no-store")
    }
    expect(text).not.toMatch(/(?:src|href)="(?:https?:)?\/\/(?!app\.test)/)
    expect(text).not.toContain("evil.test")
    expect(shown.headers.get("content-security-policy")).not.toContain("evil.test")
    for (const { location } of [elsewhere, browser]) expect(location).not.toContain(tokenOf(mail.link()))
    // The next page may load from other sites, so its URL must not contain the token.
    for (const answer of [...elsewhere.trail, ...browser.trail]) {
      expect(answer.headers.get("location") ?? "").not.toContain(tokenOf(mail.link()))
    }
  },
)

attack("MAIL-12", "the token never appears in the log", async (mode) => {
  const failing = { armed: false }
  const its = await site(mode, {
    rest: { debug: true },
    adapter: (good) =>
      intercept(good, async (method, run) => {
        if (failing.armed && method === "getUserByEmail") throw new Error("the database is away")
        return run()
      }),
  })
  const { browser, mail, log, store } = its
  await browser.signIn("email", { email: victim })
  log.forbid(tokenOf(mail.link()), store.rows().verificationTokens[0]?.token ?? "no token is stored")
  for (const params of [{}, { email: "eve@example.test" }, { callbackUrl: "https://evil.test/" }]) {
    await browser.fresh().get(linkWith(mail.link(), params))
    await confirm(browser.fresh(), { token: tokenOf(mail.link()), email: "eve@example.test" })
  }
  failing.armed = true
  await browser.get(mail.link())
  failing.armed = false
  await browser.get(mail.link())
  await browser.submitForm(0)
  expect(hasSession(browser)).toBe(true)
  await browser.get(mail.link())
  expect(log.entries.length).toBeGreaterThan(5)
  log.assertClean()
})
