import { memoryAdapter } from "@latchkey/adapter-kit"
import { Auth } from "@latchkey/core"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog, openBrowser, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { ada, asked, codeOf, other, type, wrong } from "./email-code-setup.js"
import { emailOf, errorAt, hasSession, mailbox, type Message, recorder, strategies, strict } from "./setup.js"

describe.each(strategies)("under the strategy %s", (strategy) => {
  test.each([
    ["compatible", {}],
    ["strict", strict],
  ])("and %s the code signs in the browser that asked, like the link", async (_mode, mode) => {
    const { browser, mail, store } = await asked({ session: { strategy }, ...mode })
    await type(browser, codeOf(mail))
    expect(browser.location).toBe("https://app.test/inbox")
    expect(await emailOf(browser)).toBe(ada)
    expect(store.rows().verificationTokens).toEqual([])
    expect(store.rows().users).toMatchObject([{ email: ada, emailVerified: expect.any(Date) }])
    expect(browser.cookies.map(({ name }) => name).filter((name) => name.includes("nonce"))).toEqual([])
  })
})

test("the code has six digits, with leading zeros, and is sent with the link", async () => {
  const runtime = { random: (bytes: number) => new Uint8Array(bytes).fill(bytes === 6 ? 0 : 7) }
  const { mail } = await asked({ runtime })
  expect(mail.sent[0]).toMatchObject({ code: "000000", token: "07".repeat(32) })
})

test("codes differ, and every digit occurs in every position", async () => {
  const store = memoryAdapter()
  const mail = mailbox()
  const browser = await visit({ providers: [mail.provider], adapter: store, rateLimit: false })
  for (let round = 0; round < 200; round++) await browser.fresh().signIn("email", { email: ada })
  const codes = mail.sent.map(({ code = "" }) => code)
  expect(new Set(codes).size).toBeGreaterThan(195)
  for (let at = 0; at < 6; at++) expect(new Set(codes.map((code) => code[at])).size).toBe(10)
  for (const code of codes) expect(code).toMatch(/^\d{6}$/)
})

test.each([
  ["spaces", (code: string) => ` ${code.slice(0, 3)} ${code.slice(3)} `],
  ["a dash", (code: string) => `${code.slice(0, 3)}-${code.slice(3)}`],
  ["what a mail program inserts", (code: string) => `${code.slice(0, 3)}\u00A0\u2011\u200B${code.slice(3)}\n`],
  ["full-width digits", (code: string) => code.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))],
  ["Arabic digits", (code: string) => code.replace(/\d/g, (digit) => String.fromCodePoint(0x660 + Number(digit)))],
  ["Persian digits", (code: string) => code.replace(/\d/g, (digit) => String.fromCodePoint(0x6f0 + Number(digit)))],
])("a code is understood with %s", async (_title, written) => {
  const { browser, mail } = await asked()
  await type(browser, written(codeOf(mail)))
  expect(await emailOf(browser)).toBe(ada)
})

test.each([
  ["nothing", ""],
  ["spaces", "   "],
  ["words", "let me in"],
  ["a long text", "1".repeat(5000)],
  ["the code and more", "code!"],
])("%s is no code, and does no harm", async (_title, typed) => {
  const { browser, mail } = await asked()
  await type(browser, typed === "code!" ? `${codeOf(mail)}1` : typed)
  expect(browser.location).toBe(wrong)
  await type(browser, codeOf(mail))
  expect(await emailOf(browser)).toBe(ada)
})

describe("link or code", () => {
  test("the code uses up the link", async () => {
    const { browser, mail } = await asked()
    await type(browser, codeOf(mail))
    const phone = browser.fresh()
    await phone.get(mail.link())
    expect(errorAt(phone)).toBe("/auth/error Verification")
  })

  test("the link, opened in any browser, uses up the code", async () => {
    const { browser, mail } = await asked()
    const phone = browser.fresh()
    await phone.get(mail.link())
    await phone.submitForm(0)
    expect(await emailOf(phone)).toBe(ada)
    await type(browser, codeOf(mail))
    expect(browser.location).toBe(wrong)
    expect(hasSession(browser)).toBe(false)
  })

  test("the code expires after ten minutes, the link later", async () => {
    const { browser, mail, clock } = await asked()
    clock.advance({ minutes: 10, seconds: -1 })
    const intime = browser.clone()
    await intime.get("/auth/verify-request?provider=email&type=email")
    expect(intime.text).toContain('name="code"')
    clock.advance({ seconds: 1 })
    await type(browser, codeOf(mail))
    expect(browser.location).toBe(wrong)
    expect(browser.text).not.toContain('name="code"')
    await browser.get(mail.link())
    expect(await emailOf(browser)).toBe(ada)
  })

  test("a code expires no later than its link", async () => {
    const { browser, mail, clock } = await asked({}, { maxAge: 60 })
    clock.advance({ seconds: 60 })
    await browser.post("/auth/callback/email", { csrfToken: (await browser.csrf()) ?? "", code: codeOf(mail) })
    expect(browser.location).toBe(wrong)
  })

  test("if the signIn callback refuses, there's no session and the code works later", async () => {
    let open = true
    const { browser, mail } = await asked({ callbacks: { signIn: () => open } })
    const csrfToken = (await browser.csrf()) ?? ""
    open = false
    await type(browser, codeOf(mail))
    expect(errorAt(browser)).toBe("/auth/error AccessDenied")
    expect(hasSession(browser)).toBe(false)
    open = true
    await browser.post("/auth/callback/email", { csrfToken, code: codeOf(mail) })
    expect(await emailOf(browser)).toBe(ada)
  })
})

describe("in several tabs", () => {
  test("each code works after a request for another email, and redirects to the callback URL of its tab", async () => {
    const { browser, mail } = await asked()
    const tab = browser.clone()
    await tab.signIn("email", { email: "grace@example.test", callbackUrl: "/team" })
    await type(browser, codeOf(mail, 0))
    expect([browser.location, await emailOf(browser)]).toEqual(["https://app.test/inbox", ada])
    await tab.get("/auth/verify-request?provider=email&type=email")
    await type(tab, codeOf(mail, 1))
    expect([tab.location, await emailOf(tab)]).toEqual(["https://app.test/team", "grace@example.test"])
  })

  test("only the newest code of an email works", async () => {
    const { browser, mail } = await asked()
    await browser.signIn("email", { email: ada })
    await type(browser, codeOf(mail, 0))
    expect(browser.location).toBe(wrong)
    await type(browser, codeOf(mail, 1))
    expect(await emailOf(browser)).toBe(ada)
  })

  test("a browser keeps the cookies of the five newest links", async () => {
    const { browser, mail, clock } = await asked()
    for (let round = 0; round < 7; round++) {
      clock.advance({ seconds: 1 })
      await browser.signIn("email", { email: `u${round}@example.test` })
    }
    const marks = browser.cookies.filter(({ name }) => name.includes("nonce"))
    expect(marks).toHaveLength(5)
    expect(marks.map(({ value }) => value).join("").length).toBeLessThan(6000)
    await browser.get(mail.link(0))
    expect(hasSession(browser)).toBe(false)
    await browser.get(mail.link(4))
    expect(await emailOf(browser)).toBe("u3@example.test")
  })
})

describe("codes that are off or custom", () => {
  test("`code: false` sends no code, and the page has no field", async () => {
    const { browser, mail } = await asked({}, { code: false })
    expect(mail.sent[0]?.code).toBeUndefined()
    expect(browser.text).not.toContain('name="code"')
    await browser.get(mail.link())
    expect(await emailOf(browser)).toBe(ada)
  })

  test("a long custom token has a separate code", async () => {
    const { browser, mail } = await asked({}, { generateVerificationToken: () => "a-token-of-our-own-making" })
    await type(browser, codeOf(mail))
    expect(await emailOf(browser)).toBe(ada)
  })

  test("a short custom token is the code, on a custom page and on the built-in one", async () => {
    for (const token of ["493817", "a-b7"]) {
      const { browser, mail } = await asked({}, { generateVerificationToken: () => token })
      expect(mail.sent[0]).toMatchObject({ token, code: token })
      expect(browser.text).toContain(token === "a-b7" ? 'inputmode="text"' : 'inputmode="numeric"')
      await type(browser, token)
      expect(await emailOf(browser)).toBe(ada)
      const own = await asked({}, { generateVerificationToken: () => token })
      await own.browser.get(`/auth/callback/email?token=${token}&email=${encodeURIComponent(ada)}`)
      expect(await emailOf(own.browser)).toBe(ada)
    }
  })
})

test("correct codes aren't rate limited", async () => {
  const { browser, mail } = await asked({ rateLimit: { limits: { email: false } } })
  for (let round = 0; round < 15; round++) {
    const visitor = browser.fresh()
    await visitor.signIn("email", { email: ada })
    await type(visitor, codeOf(mail))
    expect(hasSession(visitor)).toBe(true)
  }
})

test("a wrong code fires signInFailure, without the code", async () => {
  const failures = recorder<Message<"signInFailure">>()
  const { browser, mail } = await asked({ events: { signInFailure: failures.record } })
  await type(browser, other(codeOf(mail)))
  expect(failures.one).toMatchObject({ provider: "email", error: { name: "Verification" } })
  expect(JSON.stringify([failures.one.error.message, failures.one.error.cause])).not.toMatch(/\d{6}/)
})

test("a code without the CSRF token is refused and stays valid", async () => {
  const { browser, mail, store } = await asked()
  await browser.post("/auth/callback/email", { code: codeOf(mail) }, { from: "https://evil.test" })
  expect(errorAt(browser)).toBe("/auth/signin MissingCSRF")
  expect(store.rows().verificationTokens).toHaveLength(1)
})

test("a GET with a code has no effect", async () => {
  const { browser, mail, store } = await asked()
  await browser.get(`/auth/callback/email?code=${codeOf(mail)}`)
  expect(hasSession(browser)).toBe(false)
  expect(store.rows().verificationTokens).toHaveLength(1)
})

test("a code works while the secret that signed it is listed", async () => {
  const [old, fresh] = ["the-old-secret-0123456789abcdefghij", "the-new-secret-0123456789abcdefghij"]
  for (const security of ["compatible", { keyPerPurpose: true }] as const) {
    for (const [secret, works] of [
      [[fresh, old], true],
      [[fresh], false],
    ] as const) {
      const mail = mailbox()
      const rest = { providers: [mail.provider], adapter: memoryAdapter(), logger: captureLog().logger }
      let config: AuthConfig = { ...rest, secret: old, security, trustHost: true }
      const browser = openBrowser({ origin: "https://app.test", handle: (request) => Auth(request, config) })
      await browser.signIn("email", { email: ada })
      config = { ...config, secret }
      const csrfToken = (await browser.csrf()) ?? ""
      await browser.post("/auth/callback/email", { csrfToken, code: codeOf(mail) })
      expect(hasSession(browser)).toBe(works)
    }
  }
})
