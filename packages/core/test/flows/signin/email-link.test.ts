import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit"
import type { AuthConfig, EmailConfig } from "@latchkey/core/types"
import { type Browser, frozenClock, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { emailOf, errorAt, hasSession, intercept, mailbox, type Question, recorder } from "./setup.js"

async function asked(more: Partial<AuthConfig> = {}, overrides: Partial<EmailConfig> = {}) {
  const clock = frozenClock()
  const store: MemoryAdapter = memoryAdapter()
  const mail = mailbox(overrides)
  const browser = await visit({ providers: [mail.provider], adapter: store, ...more }, { clock })
  await browser.signIn("email", { email: "ada@example.test", callbackUrl: "/inbox" })
  return { clock, store, mail, browser }
}

function tokensLeft(store: MemoryAdapter): number {
  return store.rows().verificationTokens.length
}

describe("in the browser that asked for the link", () => {
  test("opening it signs in and redirects to the callback URL", async () => {
    const { browser, mail, store } = await asked()
    await browser.get(mail.link())
    expect(browser.location).toBe("https://app.test/inbox")
    expect(await emailOf(browser)).toBe("ada@example.test")
    expect(tokensLeft(store)).toBe(0)
  })

  test("the cookie of the link is cleared afterwards", async () => {
    const { browser, mail } = await asked()
    await browser.get(mail.link())
    expect(browser.cookies.filter(({ name }) => name.includes("nonce"))).toEqual([])
  })

  test("a second use is refused in every browser", async () => {
    const { browser, mail } = await asked()
    await browser.get(mail.link())
    const other = browser.fresh()
    await other.get(mail.link())
    expect(errorAt(other)).toBe("/auth/error Verification")
    expect(hasSession(other)).toBe(false)
  })

  test("links requested in two tabs both work", async () => {
    const { browser, mail } = await asked()
    await browser.signIn("email", { email: "grace@example.test" })
    await browser.get(mail.link(0))
    expect(await emailOf(browser)).toBe("ada@example.test")
    await browser.get(mail.link(1))
    expect(await emailOf(browser)).toBe("grace@example.test")
  })

  test("HEAD has no effect", async () => {
    const { browser, mail, store } = await asked()
    const answer = await browser.fetch(mail.link(), { method: "HEAD" })
    expect(answer.status).toBe(200)
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(tokensLeft(store)).toBe(1)
    await browser.get(mail.link())
    expect(hasSession(browser)).toBe(true)
  })
})

describe("in any other browser", () => {
  async function elsewhere(browser: Browser, link: string) {
    const other = browser.fresh()
    await other.get(link)
    return other
  }

  test("opening it shows a page with a form, and submitting that signs in", async () => {
    const { browser, mail, store } = await asked()
    const other = await elsewhere(browser, mail.link())
    expect(other.response.status).toBe(200)
    expect(other.forms[0]).toMatchObject({ method: "POST", auto: false })
    expect(hasSession(other)).toBe(false)
    expect(tokensLeft(store)).toBe(1)
    await other.submitForm(0)
    expect(other.location).toBe("https://app.test/inbox")
    expect(await emailOf(other)).toBe("ada@example.test")
    expect(await browser.session()).toBeNull()
  })

  test("MAIL-01: a hundred requests of a link scanner don't use it up", async () => {
    const { browser, mail, store } = await asked()
    const scanner = browser.fresh()
    for (let round = 0; round < 50; round++) {
      await scanner.fetch(mail.link(), { method: "HEAD" })
      await scanner.get(mail.link(), { headers: { "sec-purpose": "prefetch" } })
    }
    expect(hasSession(scanner)).toBe(false)
    expect(tokensLeft(store)).toBe(1)
    await browser.get(mail.link())
    expect(hasSession(browser)).toBe(true)
  })

  test("MAIL-12: neither the page nor the redirect is cached or sends a referrer", async () => {
    const { browser, mail } = await asked()
    const other = await elsewhere(browser, mail.link())
    expect(other.response.headers.get("referrer-policy")).toBe("no-referrer")
    expect(other.response.headers.get("cache-control")).toContain("no-store")
    await other.submitForm(0)
    const [redirect] = other.trail
    expect(redirect?.status).toBe(302)
    expect(redirect?.headers.get("referrer-policy")).toBe("no-referrer")
    expect(redirect?.headers.get("cache-control")).toContain("no-store")
  })

  test("a POST without the CSRF token is refused and doesn't use up the link", async () => {
    const { browser, mail, store } = await asked()
    const other = browser.fresh()
    const { searchParams } = new URL(mail.link())
    await other.post("/auth/callback/email", Object.fromEntries(searchParams), { from: "https://evil.test" })
    expect(errorAt(other)).toBe("/auth/signin MissingCSRF")
    expect(tokensLeft(store)).toBe(1)
  })

  test("the cookie of another link doesn't count", async () => {
    const { browser, mail, store } = await asked()
    const other = browser.fresh()
    await other.signIn("email", { email: "eve@example.test" })
    await other.get(mail.link(0))
    expect(hasSession(other)).toBe(false)
    expect(tokensLeft(store)).toBe(2)
  })
})

describe("an invalid link", () => {
  type Change = (link: URL) => void
  const changed: [string, Change, string][] = [
    ["another token", (link) => link.searchParams.set("token", "f".repeat(64)), "Verification"],
    ["no token", (link) => link.searchParams.delete("token"), "Verification"],
    ["an empty token", (link) => link.searchParams.set("token", ""), "Verification"],
    ["a token of two thousand digits", (link) => link.searchParams.set("token", "f".repeat(2000)), "Verification"],
    ["no email", (link) => link.searchParams.delete("email"), "Verification"],
    ["another email", (link) => link.searchParams.set("email", "eve@example.test"), "Verification"],
    ["another spelling of the email", (link) => link.searchParams.set("email", "ADA@example.test"), "Verification"],
  ]
  test.each(changed)("with %s is refused, and the real link still works", async (_title, change, error) => {
    const { browser, mail, store } = await asked()
    const link = new URL(mail.link())
    change(link)
    const guesser = browser.fresh()
    const csrfToken = (await guesser.csrf()) ?? ""
    await guesser.post("/auth/callback/email", { ...Object.fromEntries(link.searchParams), csrfToken })
    expect(errorAt(guesser)).toBe(`/auth/error ${error}`)
    expect(guesser.response.status).toBeLessThan(500)
    expect(hasSession(guesser)).toBe(false)
    expect(tokensLeft(store)).toBe(1)
    await browser.get(mail.link())
    expect(hasSession(browser)).toBe(true)
  })

  test("works in its last second, and not later", async () => {
    const first = await asked()
    first.clock.advance({ days: 1, seconds: -1 })
    await first.browser.get(first.mail.link())
    expect(hasSession(first.browser)).toBe(true)
    const late = await asked()
    late.clock.advance({ days: 1 })
    await late.browser.get(late.mail.link())
    expect(errorAt(late.browser)).toBe("/auth/error Verification")
  })

  test.each([
    ["text", (date: Date) => date.toISOString()],
    ["a number", (date: Date) => date.getTime()],
    ["text that isn't a date", () => "soon"],
  ])("MAIL-09: the engine checks the expiry if the adapter returns it as %s", async (_title, asType) => {
    const { getVerificationToken: _, ...published } = memoryAdapter()
    const careless = intercept(published, async (method, run) => {
      const row = await run()
      if (method !== "useVerificationToken" || typeof row !== "object" || row === null || !("expires" in row))
        return row
      return { ...row, expires: row.expires instanceof Date ? asType(row.expires) : row.expires }
    })
    const { browser, mail, clock } = await asked({ adapter: careless })
    clock.advance({ days: 2 })
    const { searchParams } = new URL(mail.link())
    const csrfToken = (await browser.csrf()) ?? ""
    await browser.post("/auth/callback/email", { ...Object.fromEntries(searchParams), csrfToken })
    expect(errorAt(browser)).toBe("/auth/error Verification")
    expect(hasSession(browser)).toBe(false)
  })

  test("a record of another email that a faulty adapter returns starts no session", async () => {
    const store = memoryAdapter()
    const careless = intercept(store, async (method, run) => {
      const row = await run()
      return method === "useVerificationToken" && row !== null
        ? { ...Object(row), identifier: "eve@example.test" }
        : row
    })
    const { browser, mail } = await asked({ adapter: careless })
    await browser.get(mail.link())
    expect(errorAt(browser)).toBe("/auth/error Verification")
    expect(hasSession(browser)).toBe(false)
  })
})

test("one of twenty parallel uses of a link signs in", async () => {
  const { browser, mail, store } = await asked()
  const others = await Promise.all(
    Array.from({ length: 20 }, async () => {
      const other = browser.fresh()
      await other.get(mail.link())
      return other
    }),
  )
  await Promise.all(others.map((other) => other.submitForm(0)))
  expect(others.filter(hasSession)).toHaveLength(1)
  expect(others.filter((other) => !hasSession(other)).map(errorAt)).toEqual(Array(19).fill("/auth/error Verification"))
  expect(store.rows().users).toHaveLength(1)
})

test("the signIn callback runs again when the link is used, without `email`", async () => {
  const questions = recorder<Question>()
  const { browser, mail } = await asked({ callbacks: { signIn: (question) => (questions.record(question), true) } })
  await browser.get(mail.link())
  const [, used] = questions.messages
  expect(Object.keys(used ?? {}).sort()).toEqual(["account", "user"])
  const account = { providerAccountId: "ada@example.test", type: "email", provider: "email", userId: used?.user.id }
  expect(used?.account).toEqual(account)
  expect(used?.user).toMatchObject({ email: "ada@example.test", emailVerified: null })
})

test("if the signIn callback refuses, there's no session and the link works later", async () => {
  let open = true
  const { browser, mail, store } = await asked({ callbacks: { signIn: () => open } })
  open = false
  await browser.get(mail.link())
  expect(errorAt(browser)).toBe("/auth/error AccessDenied")
  expect(hasSession(browser)).toBe(false)
  expect(store.rows().users).toHaveLength(0)
  open = true
  await browser.get(mail.link())
  await browser.submitForm(0)
  expect(hasSession(browser)).toBe(true)
})
