import { memoryAdapter } from "@latchkey/adapter-kit"
import credentials from "@latchkey/core/providers/credentials"
import type { AuthConfig } from "@latchkey/core/types"
import { type Browser, createProvider, faults, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { errorAt, hasSession, mailbox } from "./setup.js"

const app = "https://app.test"
const inbox = `${app}/inbox?folder=2`

const password = credentials({
  credentials: { name: {}, password: {} },
  authorize: ({ name, password }) => (password === "right" ? { id: "u1", name: String(name) } : null),
})

async function site(more: Partial<AuthConfig> = {}) {
  const op = createProvider()
  const mail = mailbox()
  const browser = await visit({
    providers: [op.provider(), mail.provider, password],
    adapter: memoryAdapter(),
    session: { strategy: "jwt" },
    ...more,
  })
  return { op, mail, browser }
}

/** A form of the application's own page. It doesn't name the callback URL. */
async function send(browser: Browser, path: string, fields: Record<string, string> = {}) {
  return browser.post(path, { csrfToken: (await browser.csrf()) ?? "", ...fields })
}

const [wrong, right] = ["wrong", "right"].map((word) => ({ name: "ada", password: word }))

describe("the callback URL survives", () => {
  test("a wrong password in the built-in form", async () => {
    const { browser } = await site()
    await browser.get(`/auth/signin?callbackUrl=${encodeURIComponent(inbox)}`)
    await browser.submitForm("callback/credentials", wrong)
    expect(errorAt(browser)).toBe("/auth/signin CredentialsSignin")
    await browser.submitForm("callback/credentials", wrong)
    await browser.submitForm("callback/credentials", right)
    expect(browser.location).toBe(inbox)
    expect(hasSession(browser)).toBe(true)
  })

  test("a wrong password, and then a sign-in with a provider", async () => {
    const { browser, op } = await site()
    await browser.get(`/auth/signin?callbackUrl=${encodeURIComponent(inbox)}`)
    await browser.submitForm("callback/credentials", wrong)
    await browser.submitForm("signin/op")
    await browser.consentAt(op, { as: "ada" })
    expect(browser.location).toBe(inbox)
  })

  test("a form with an outdated CSRF token", async () => {
    const { browser } = await site()
    await browser.get(`/auth/signin?callbackUrl=${encodeURIComponent(inbox)}`)
    await browser.submitForm("callback/credentials", { ...right, csrfToken: "outdated" })
    expect(errorAt(browser)).toBe("/auth/signin MissingCSRF")
    await browser.submitForm("callback/credentials", right)
    expect(browser.location).toBe(inbox)
  })

  test("a refused email", async () => {
    const { browser, mail } = await site()
    await browser.get(`/auth/signin?callbackUrl=${encodeURIComponent(inbox)}`)
    await browser.submitForm("signin/email", { email: "no address" })
    expect(errorAt(browser)).toBe("/auth/signin EmailSignin")
    await browser.submitForm("signin/email", { email: "ada@example.test" })
    await browser.get(mail.link())
    expect(browser.location).toBe(inbox)
  })

  test("a sign-in that the signIn callback refuses", async () => {
    let allowed = false
    const { browser } = await site({ callbacks: { signIn: () => allowed } })
    await browser.get(`/auth/signin?callbackUrl=${encodeURIComponent(inbox)}`)
    await browser.submitForm("callback/credentials", right)
    expect(errorAt(browser)).toBe("/auth/error AccessDenied")
    allowed = true
    await browser.get("/auth/signin")
    await browser.submitForm("callback/credentials", right)
    expect(browser.location).toBe(inbox)
  })

  test.each([
    ["that can't be reached", faults.discoveryUnreachable],
    ["whose token endpoint fails", faults.tokenServerError],
    ["that refuses", faults.errorWithCode],
  ])("a provider %s", async (_, fault) => {
    const { browser, op } = await site()
    const heal = op.inject(fault)
    await browser.get(`/auth/signin?callbackUrl=${encodeURIComponent(inbox)}`)
    await browser.submitForm("signin/op")
    if (browser.location.startsWith(op.issuer)) await browser.consentAt(op, { as: "ada" })
    expect(hasSession(browser)).toBe(false)
    heal()
    await browser.get("/auth/signin")
    await browser.submitForm("callback/credentials", right)
    expect(browser.location).toBe(inbox)
  })

  test("a rate limit", async () => {
    const limits = { credentials: { address: { points: 1, seconds: 60 } } }
    let address = "203.0.113.7"
    const { browser } = await site({ rateLimit: { address: () => address, limits } })
    await browser.get(`/auth/signin?callbackUrl=${encodeURIComponent(inbox)}`)
    await browser.submitForm("callback/credentials", wrong)
    await browser.submitForm("callback/credentials", right)
    expect(browser.response.status).toBe(429)
    address = "203.0.113.8"
    await send(browser, "/auth/callback/credentials", right)
    expect(browser.location).toBe(inbox)
  })
})

describe("on a custom sign-in page whose forms don't name the callback URL", () => {
  const pages = { signIn: "/login" }

  async function arriving() {
    const its = await site({ pages })
    await its.browser.get(`/auth/signin?callbackUrl=${encodeURIComponent(inbox)}`)
    expect(its.browser.location).toBe(`${app}/login?callbackUrl=${encodeURIComponent(inbox)}`)
    return its
  }

  test("credentials lead to it, also after a wrong password", async () => {
    const { browser } = await arriving()
    await send(browser, "/auth/callback/credentials", wrong)
    expect(browser.location).toBe(`${app}/login?error=CredentialsSignin&code=credentials`)
    await send(browser, "/auth/callback/credentials", right)
    expect(browser.location).toBe(inbox)
  })

  test("a provider leads to it", async () => {
    const { browser, op } = await arriving()
    await send(browser, "/auth/signin/op")
    await browser.consentAt(op, { as: "ada" })
    expect(browser.location).toBe(inbox)
  })

  test("an email link leads to it, in another browser too", async () => {
    const { browser, mail } = await arriving()
    await send(browser, "/auth/signin/email", { email: "ada@example.test" })
    expect(new URL(mail.link()).searchParams.get("callbackUrl")).toBe(inbox)
    const elsewhere = browser.fresh()
    await elsewhere.get(mail.link())
    await elsewhere.submitForm("callback/email")
    expect(elsewhere.location).toBe(inbox)
  })

  test("a form that was refused names it for the next one", async () => {
    const { browser } = await site({ pages })
    await send(browser, "/auth/callback/credentials", { ...wrong, callbackUrl: inbox })
    await send(browser, "/auth/callback/credentials", right)
    expect(browser.location).toBe(inbox)
  })
})

test("a form without a callback URL leads to the one of an earlier page or sign-in", async () => {
  const { browser, op } = await site()
  await browser.get(`/auth/signin?callbackUrl=${encodeURIComponent(inbox)}`)
  await browser.signIn("credentials", right)
  expect(browser.location).toBe(inbox)
  await browser.signOut()
  expect(browser.location).toBe(inbox)
  await browser.signInWith(op, { as: "ada" })
  expect(browser.location).toBe(inbox)
})

test("the email request remembers the callback URL of POST signin", async () => {
  const { browser, mail } = await site()
  await send(browser, "/auth/signin", { callbackUrl: inbox })
  await send(browser, "/auth/signin/email", { email: "ada@example.test" })
  await browser.get(mail.link())
  expect(browser.location).toBe(inbox)
})

test("another site can't choose the callback URL of the next sign-in with a forged form", async () => {
  const { browser } = await site()
  for (const path of ["/auth/signin/op", "/auth/callback/credentials", "/auth/callback/op"]) {
    await browser.post(path, { callbackUrl: "/delete-account", csrfToken: "x" }, { from: "https://evil.test" })
    expect(browser.cookies.filter(({ name }) => name.includes("callback-url"))).toEqual([])
  }
})

test("a callback URL of 4,000 characters survives a sign-in with credentials", async () => {
  const { browser } = await site()
  const long = `${app}/search?q=${"a".repeat(4000)}`
  await send(browser, "/auth/callback/credentials", { ...right, callbackUrl: long })
  expect(browser.location).toBe(long)
})
