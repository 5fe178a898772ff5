import { memoryAdapter } from "@latchkey/adapter-kit"
import { AuthError, CredentialsSignin } from "@latchkey/core/errors"
import type { AuthConfig, EmailConfig } from "@latchkey/core/types"
import { frozenClock, visit } from "@latchkey/testing"
import { createHash } from "node:crypto"
import { expect, test } from "vitest"
import { errorAt, intercept, mailbox, type Question, recorder, strict } from "./setup.js"

const secret = "only-for-tests-0123456789abcdefghij"

async function asking(overrides: Partial<EmailConfig> = {}, more: Partial<AuthConfig> = {}) {
  const clock = frozenClock()
  const store = memoryAdapter()
  const mail = mailbox(overrides)
  const browser = await visit({ providers: [mail.provider], adapter: store, ...more }, { clock })
  return { clock, store, mail, browser }
}

test("sendVerificationRequest gets the normalized email, the link, its expiry, the theme and the request", async () => {
  const { clock, mail, browser } = await asking({}, { theme: { brandColor: "#123456" } })
  await browser.signIn("email", { email: "  Ada@Example.TEST ", callbackUrl: "/inbox" })
  const [message] = mail.sent
  expect(message?.identifier).toBe("ada@example.test")
  expect(message?.expires).toEqual(new Date(clock.now() + 86_400_000))
  expect(message?.theme.brandColor).toBe("#123456")
  expect(message?.provider.id).toBe("email")
  expect(message?.request.url).toBe("https://app.test/auth/signin/email")
  expect(message?.url).toBe(
    `https://app.test/auth/callback/email?callbackUrl=https%3A%2F%2Fapp.test%2Finbox&token=${message?.token}&email=ada%40example.test`,
  )
})

test("sendVerificationRequest gets the provider with its URLs, and with fields that the application added", async () => {
  const own = { from: "site@app.test", templateId: "welcome", callbackUrl: "https://other.test" }
  const { mail, browser } = await asking(own)
  await browser.signIn("email", { email: "ada@example.test" })
  expect(mail.sent[0]?.provider).toMatchObject({
    templateId: "welcome",
    signinUrl: "https://app.test/auth/signin/email",
    callbackUrl: "https://app.test/auth/callback/email",
  })
})

test("the token has 256 bits, and the database has only its hash with the secret", async () => {
  const { store, mail, browser, clock } = await asking()
  await browser.signIn("email", { email: "ada@example.test" })
  const token = mail.sent[0]?.token ?? ""
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  expect(store.rows().verificationTokens).toEqual([
    {
      identifier: "ada@example.test",
      token: createHash("sha256")
        .update(token + secret)
        .digest("hex"),
      expires: new Date(clock.now() + 86_400_000),
    },
  ])
})

test("the browser shows the page that says to check the email", async () => {
  const { browser } = await asking()
  await browser.signIn("email", { email: "ada@example.test" })
  expect(browser.location).toBe("https://app.test/auth/verify-request?provider=email&type=email")
  expect(browser.response.status).toBe(200)
})

test("a custom page is shown instead", async () => {
  const { browser } = await asking({}, { pages: { verifyRequest: "/look-into-your-mail" } })
  await browser.signIn("email", { email: "ada@example.test" })
  expect(new URL(browser.location).pathname).toBe("/look-into-your-mail")
})

test("maxAge of the provider is the lifetime of the link in seconds", async () => {
  const { mail, browser, clock } = await asking({ maxAge: 60 })
  await browser.signIn("email", { email: "ada@example.test" })
  expect(mail.sent[0]?.expires).toEqual(new Date(clock.now() + 60_000))
})

test("under strict, a link lives 15 minutes and invalidates the older ones of its email", async () => {
  const { mail, browser, clock, store } = await asking({}, strict)
  await browser.signIn("email", { email: "ada@example.test" })
  await browser.signIn("email", { email: "grace@example.test" })
  await browser.signIn("email", { email: "ada@example.test" })
  expect(mail.sent[0]?.expires).toEqual(new Date(clock.now() + 900_000))
  expect(store.rows().verificationTokens.map(({ identifier }) => identifier)).toEqual([
    "grace@example.test",
    "ada@example.test",
  ])
})

test("generateVerificationToken and normalizeIdentifier are used", async () => {
  const { mail, browser } = await asking({
    generateVerificationToken: () => "my-own-token",
    normalizeIdentifier: (typed) => `${typed.split("@")[0]}@only.example`,
  })
  await browser.signIn("email", { email: "ada@whatever.test" })
  expect(mail.sent[0]).toMatchObject({ token: "my-own-token", identifier: "ada@only.example" })
})

test("the signIn callback gets a provisional user if the email is unknown", async () => {
  const questions = recorder<Question>()
  const signIn = (question: Question) => {
    questions.record(question)
    return true
  }
  const { browser } = await asking({}, { callbacks: { signIn } })
  await browser.signIn("email", { email: "ada@example.test" })
  const { user, account, email, request } = questions.one
  expect(Object.keys(questions.one).sort()).toEqual(["account", "email", "user"])
  expect(user).toEqual({ id: expect.any(String), email: "ada@example.test", emailVerified: null })
  expect(account).toEqual({
    providerAccountId: "ada@example.test",
    userId: user.id,
    type: "email",
    provider: "email",
  })
  expect(email).toEqual({ verificationRequest: true })
  expect(request?.method).toBe("POST")
})

test("the signIn callback gets the stored user if there is one", async () => {
  const questions = recorder<Question>()
  const { store, browser } = await asking(
    {},
    { callbacks: { signIn: (question) => (questions.record(question), true) } },
  )
  await store.createUser({ id: "u1", name: "Ada", email: "ada@example.test", emailVerified: null })
  await browser.signIn("email", { email: "ADA@example.test" })
  expect(questions.one.user).toMatchObject({ id: "u1", name: "Ada" })
  expect(questions.one.account?.userId).toBe("u1")
})

class Closed extends AuthError {
  static override type = "Closed"
}

test.each([
  ["false refuses", () => false, "/auth/error AccessDenied"],
  ["an exception refuses", () => Promise.reject(new Error("no")), "/auth/error AccessDenied"],
  ["an AuthError refuses, too", () => Promise.reject(new Closed("closed")), "/auth/error AccessDenied"],
  ["a refused password refuses, too", () => Promise.reject(new CredentialsSignin()), "/auth/error AccessDenied"],
])("signIn callback at the request: %s, and nothing is stored or sent", async (_title, signIn, error) => {
  const { browser, mail, store } = await asking({}, { callbacks: { signIn } })
  await browser.signIn("email", { email: "ada@example.test" })
  expect(errorAt(browser)).toBe(error)
  expect(mail.sent).toHaveLength(0)
  expect(store.rows().verificationTokens).toHaveLength(0)
})

test("a string from the signIn callback redirects there, and nothing is stored or sent", async () => {
  const { browser, mail, store } = await asking({}, { callbacks: { signIn: () => "/waitlist" } })
  await browser.signIn("email", { email: "ada@example.test" })
  expect(browser.location).toBe("https://app.test/waitlist")
  expect(mail.sent).toHaveLength(0)
  expect(store.rows().verificationTokens).toHaveLength(0)
})

test.each([
  ["missing", {}],
  ["empty", { email: "" }],
  ["two emails", { email: "ada@example.test,eve@evil.test" }],
  ["a header in it", { email: "ada@example.test\r\nBcc: eve@evil.test" }],
  ["quoted", { email: '"ada@example.test"@evil.test' }],
])("an address that is %s leads back to the sign-in page, never to an error of the server", async (_title, fields) => {
  const { browser, mail } = await asking()
  await browser.signIn("email", fields)
  expect(errorAt(browser)).toBe("/auth/signin EmailSignin")
  expect(mail.sent).toHaveLength(0)
})

test("a normalizeIdentifier that throws redirects to the sign-in page", async () => {
  const normalizeIdentifier = () => {
    throw new Error("only staff")
  }
  const { browser } = await asking({ normalizeIdentifier })
  await browser.signIn("email", { email: "ada@example.test" })
  expect(errorAt(browser)).toBe("/auth/signin EmailSignin")
})

test("the token is stored before the message is sent", async () => {
  const order: string[] = []
  const store = intercept(memoryAdapter(), (method, run) => (order.push(method), run()))
  const mail = mailbox({ sendVerificationRequest: () => void order.push("send") })
  const browser = await visit({ providers: [mail.provider], adapter: store })
  await browser.signIn("email", { email: "ada@example.test" })
  expect(order).toEqual(["getUserByEmail", "createVerificationToken", "send"])
})

test.each([
  ["rejects", () => Promise.reject(new Error("421 busy"))],
  [
    "throws at once",
    () => {
      throw new Error("no transport")
    },
  ],
])("MAIL-11: a mailer that %s leaves no token and no link cookie behind", async (_title, sendVerificationRequest) => {
  const { browser, store } = await asking({ sendVerificationRequest })
  await browser.signIn("email", { email: "ada@example.test" })
  expect(errorAt(browser)).toBe("/auth/signin EmailSignin")
  expect(store.rows().verificationTokens).toHaveLength(0)
  expect(browser.cookies.filter(({ name }) => name.includes("nonce"))).toHaveLength(0)
})

test("a form without the CSRF token sends nothing", async () => {
  const { browser, mail } = await asking()
  await browser.post("/auth/signin/email", { email: "ada@example.test" })
  expect(errorAt(browser)).toBe("/auth/signin MissingCSRF")
  expect(mail.sent).toHaveLength(0)
})
