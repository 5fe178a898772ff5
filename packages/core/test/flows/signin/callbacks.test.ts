import { memoryAdapter } from "@latchkey/adapter-kit"
import { AuthError } from "@latchkey/core/errors"
import type { AuthConfig } from "@latchkey/core/types"
import { createProvider, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { errorAt, hasSession, mailbox, type Question, recorder, signInByMail } from "./setup.js"

async function site(more: Partial<AuthConfig> = {}) {
  const op = createProvider()
  const mail = mailbox()
  const store = memoryAdapter()
  const config = {
    providers: [op.provider(), mail.provider],
    adapter: store,
    session: { strategy: "jwt" },
    ...more,
  } as const
  return { op, mail, store, browser: await visit(config) }
}

type Jwt = Parameters<NonNullable<NonNullable<AuthConfig["callbacks"]>["jwt"]>>[0]

function copies<T extends object>() {
  const calls = recorder<T>()
  return { calls, keep: (call: T) => calls.record({ ...call }) }
}

describe("signIn, for a provider account", () => {
  test("gets the provider's user with a random id, the account with its tokens, and the raw profile", async () => {
    const { calls, keep } = copies<Question>()
    const { op, browser } = await site({ callbacks: { signIn: (question) => (keep(question), true) } })
    await browser.signInWith(op, { as: "ada" })
    const { user, account, profile } = calls.one
    expect(user).toMatchObject({ name: "Ada Lovelace", email: "ada@example.test" })
    expect(user.id).toMatch(/^[0-9a-f-]{36}$/)
    expect(account).toMatchObject({
      provider: "op",
      type: "oidc",
      providerAccountId: "ada",
      token_type: "bearer",
      access_token: expect.any(String),
      id_token: expect.any(String),
      expires_at: expect.any(Number),
    })
    expect(profile).toMatchObject({ sub: "ada", email_verified: true, iss: op.issuer })
    expect(Object.keys(calls.one).sort()).toEqual(["account", "profile", "user"])
  })

  test("gets the stored user if the account is known", async () => {
    const { calls, keep } = copies<Question>()
    const { op, browser, store } = await site({ callbacks: { signIn: (question) => (keep(question), true) } })
    await browser.signInWith(op, { as: "ada" })
    op.people.ada.name = "Another Name"
    await browser.fresh().signInWith(op, { as: "ada" })
    expect(calls.messages[1]?.user).toMatchObject({ id: store.rows().users[0]?.id, name: "Ada Lovelace" })
  })

  test("can read the request", async () => {
    const urls: (string | undefined)[] = []
    const signIn = ({ request }: Question) => urls.push(request?.url) > 0
    const { op, browser } = await site({ callbacks: { signIn } })
    await browser.signInWith(op, { as: "ada" })
    expect(urls[0]).toContain("https://app.test/auth/callback/op?code=")
  })

  test.each([
    [true, true],
    [false, false],
    [undefined, false],
  ])("gets whether the provider verified the email (claim %s: %s)", async (claim, vouches) => {
    const heard: unknown[] = []
    const signIn = ({ emailVerified }: Question) => heard.push(emailVerified) > 0
    const { op, browser } = await site({ callbacks: { signIn } })
    const { email_verified: _, ...ada } = op.people.ada
    op.people.ada = claim === undefined ? ada : { ...ada, email_verified: claim }
    await browser.signInWith(op, { as: "ada" })
    expect(heard).toEqual([vouches])
  })

  class Closed extends AuthError {
    static override type = "Closed"
  }
  const nothing: () => boolean = () => JSON.parse("null") ?? undefined
  test.each<[string, () => boolean | Promise<boolean>, string]>([
    ["false is a refusal", () => false, "/auth/error AccessDenied"],
    ["undefined is a refusal", nothing, "/auth/error AccessDenied"],
    ["a truthy value other than true is a refusal", () => JSON.parse("1"), "/auth/error AccessDenied"],
    ["an exception is a refusal", () => Promise.reject(new Error("no")), "/auth/error AccessDenied"],
    ["an AuthError is kept", () => Promise.reject(new Closed("closed")), "/auth/error Configuration"],
  ])("%s: no session, no user, no account", async (_title, signIn, error) => {
    const { op, browser, store } = await site({ callbacks: { signIn } })
    await browser.signInWith(op, { as: "ada" })
    expect(errorAt(browser)).toBe(error)
    expect(hasSession(browser)).toBe(false)
    expect(store.rows()).toMatchObject({ users: [], accounts: [], sessions: [] })
  })

  test.each([
    ["/waitlist", "https://app.test/waitlist"],
    ["https://evil.test/", "https://app.test/"],
  ])("the string %j ends the flow and redirects to %s", async (answer, location) => {
    const { op, browser, store } = await site({ callbacks: { signIn: () => answer } })
    await browser.signInWith(op, { as: "ada" })
    expect(browser.location).toBe(location)
    expect(hasSession(browser)).toBe(false)
    expect(store.rows().users).toEqual([])
  })

  test("a string can redirect to another origin if the redirect callback allows it", async () => {
    const callbacks = { signIn: () => "https://partner.test/join", redirect: ({ url }: { url: string }) => url }
    const { op, browser } = await site({ callbacks })
    await browser.signInWith(op, { as: "ada" })
    expect(browser.location).toBe("https://partner.test/join")
    expect(hasSession(browser)).toBe(false)
  })
})

describe("jwt", () => {
  test("gets the claims, the stored user, the account, the profile and signUp at a first sign-in", async () => {
    const { calls, keep } = copies<Jwt>()
    const { op, browser, store } = await site({ callbacks: { jwt: (call) => (keep(call), call.token) } })
    await browser.signInWith(op, { as: "ada" })
    const [user] = store.rows().users
    expect(calls.one).toMatchObject({
      token: { name: "Ada Lovelace", email: "ada@example.test", picture: op.people.ada.picture, sub: user?.id },
      user: { id: user?.id },
      account: { provider: "op", access_token: expect.any(String), userId: user?.id },
      profile: { sub: "ada" },
      isNewUser: true,
      trigger: "signUp",
    })
    expect(Object.keys(calls.one).sort()).toEqual(["account", "isNewUser", "profile", "token", "trigger", "user"])
  })

  test("gets signIn at a later sign-in", async () => {
    const { calls, keep } = copies<Jwt>()
    const { op, browser } = await site({ callbacks: { jwt: (call) => (keep(call), call.token) } })
    await browser.signInWith(op, { as: "ada" })
    await browser.fresh().signInWith(op, { as: "ada" })
    expect(calls.messages[1]).toMatchObject({ isNewUser: false, trigger: "signIn" })
  })

  test("doesn't get isNewUser without an adapter", async () => {
    const { calls, keep } = copies<Jwt>()
    const op = createProvider()
    const browser = await visit({ providers: [op.provider()], callbacks: { jwt: (call) => (keep(call), call.token) } })
    await browser.signInWith(op, { as: "ada" })
    expect(calls.one.trigger).toBe("signIn")
    expect(calls.one.isNewUser).toBeUndefined()
    expect(calls.one.token.sub).toMatch(/^[0-9a-f-]{36}$/)
  })

  test.each([
    [true, "signUp"],
    [false, "signIn"],
  ])("gets no profile with an email link (new: %s), and %s", async (isNewUser, trigger) => {
    const { calls, keep } = copies<Jwt>()
    const { mail, browser, store } = await site({ callbacks: { jwt: (call) => (keep(call), call.token) } })
    if (!isNewUser) await store.createUser({ id: "u1", email: "ada@example.test", emailVerified: null })
    await signInByMail(browser, mail, "ada@example.test")
    expect(Object.keys(calls.one).sort()).toEqual(["account", "isNewUser", "token", "trigger", "user"])
    expect(calls.one).toMatchObject({ isNewUser, trigger, token: { email: "ada@example.test" } })
  })

  test("null starts no session", async () => {
    const { op, browser } = await site({ callbacks: { jwt: () => null } })
    await browser.signInWith(op, { as: "ada" })
    expect(hasSession(browser)).toBe(false)
    expect(await browser.session()).toBeNull()
  })

  test("an exception redirects to the error page without a session, and a retry succeeds", async () => {
    let broken = true
    const jwt = ({ token }: Jwt) => {
      if (broken) throw new Error("directory down")
      return token
    }
    const { op, browser } = await site({ callbacks: { jwt } })
    await browser.signInWith(op, { as: "ada" })
    expect(errorAt(browser)).toBe("/auth/error Configuration")
    expect(hasSession(browser)).toBe(false)
    broken = false
    await browser.signInWith(op, { as: "ada" })
    expect(hasSession(browser)).toBe(true)
  })

  test("isn't called under strategy database", async () => {
    const { calls, keep } = copies<Jwt>()
    const callbacks = { jwt: (call: Jwt) => (keep(call), call.token) }
    const { op, browser } = await site({ callbacks, session: { strategy: "database" } })
    await browser.signInWith(op, { as: "ada" })
    await browser.session()
    expect(calls.messages).toEqual([])
    expect(hasSession(browser)).toBe(true)
  })
})

test("a redirect callback that throws redirects to the error page without a session", async () => {
  const redirect = () => {
    throw new Error("no route")
  }
  const { op, browser } = await site({ callbacks: { redirect } })
  await browser.signInWith(op, { as: "ada" })
  expect(errorAt(browser)).toBe("/auth/error Configuration")
  expect(hasSession(browser)).toBe(false)
})

test.each([
  ["/welcome", "/welcome?callbackUrl=https%3A%2F%2Fapp.test%2Finbox"],
  ["/welcome?step=1", "/welcome?step=1&callbackUrl=https%3A%2F%2Fapp.test%2Finbox"],
])("pages.newUser %j is shown only after the first sign-in", async (newUser, target) => {
  const { op, browser } = await site({ pages: { newUser } })
  await browser.signInWith(op, { as: "ada", fields: { callbackUrl: "/inbox" } })
  expect(browser.location).toBe(`https://app.test${target}`)
  const other = browser.fresh()
  await other.signInWith(op, { as: "ada", fields: { callbackUrl: "/inbox" } })
  expect(other.location).toBe("https://app.test/inbox")
})

test("pages.newUser is shown after a first sign-in by email too", async () => {
  const { mail, browser } = await site({ pages: { newUser: "/welcome" } })
  await signInByMail(browser, mail, "ada@example.test")
  expect(new URL(browser.location).pathname).toBe("/welcome")
})
