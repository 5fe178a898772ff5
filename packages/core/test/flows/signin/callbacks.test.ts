import { memoryAdapter } from "@latchkey/adapter-kit"
import { AuthError, CredentialsSignin } from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import type { AuthConfig } from "@latchkey/core/types"
import { createProvider, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { errorAt, hasSession, mailbox, type Question, recorder, signInByMail, strict } from "./setup.js"

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
  return { op, mail, store, config, browser: await visit(config) }
}

const neverCalled = () => Promise.reject(new Error("There is no such flow"))

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
    ["null is a refusal", () => JSON.parse("null"), "/auth/error AccessDenied"],
    ["zero is a refusal", () => JSON.parse("0"), "/auth/error AccessDenied"],
    ["an empty string is a refusal", () => JSON.parse('""'), "/auth/error AccessDenied"],
    ["a promise of nothing is a refusal", async () => nothing(), "/auth/error AccessDenied"],
    ["an exception is a refusal", () => Promise.reject(new Error("no")), "/auth/error AccessDenied"],
    ["an AuthError is kept", () => Promise.reject(new Closed("closed")), "/auth/error Configuration"],
    [
      "an AuthError with a page is kept",
      () => Promise.reject(new CredentialsSignin()),
      "/auth/signin CredentialsSignin",
    ],
  ])("%s: no session, no user, no account", async (_title, signIn, error) => {
    const { op, browser, store } = await site({ callbacks: { signIn } })
    await browser.signInWith(op, { as: "ada" })
    expect(errorAt(browser)).toBe(error)
    expect(hasSession(browser)).toBe(false)
    expect(store.rows()).toMatchObject({ users: [], accounts: [], sessions: [] })
  })

  test.each<[string, unknown]>([
    ["a number", 1],
    ["an object", {}],
    ["an empty list", []],
    ["a stored user", { id: "u1" }],
    ["a promise of an object", Promise.resolve({ allowed: false })],
  ])("%s is truthy, so it allows the sign-in", async (_title, answer) => {
    const { op, browser } = await site({ callbacks: { signIn: () => answer as boolean } })
    await browser.signInWith(op, { as: "ada" })
    expect(browser.location).toBe("https://app.test/")
    expect(hasSession(browser)).toBe(true)
  })
})

describe("signIn, for an email", () => {
  test.each([
    ["that a user has", true],
    ["that no user has", false],
  ])("%s, gets an account with the id of its user, for the request and for the link", async (_, isKnown) => {
    const { calls, keep } = copies<Question>()
    const { browser, mail, store } = await site({ callbacks: { signIn: (question) => (keep(question), true) } })
    if (isKnown) await store.createUser({ id: "u1", email: "ada@example.test", emailVerified: null })
    await signInByMail(browser, mail, "ada@example.test")
    expect(calls.messages).toHaveLength(2)
    for (const { user, account } of calls.messages) {
      expect(account).toMatchObject({ type: "email", providerAccountId: "ada@example.test", userId: user.id })
    }
    const id = isKnown ? "u1" : expect.stringMatching(/^[0-9a-f-]{36}$/)
    expect(calls.messages.map(({ user }) => user.id)).toEqual([id, id])
  })
})

describe("a string from signIn", () => {
  const password = credentials({ credentials: { name: {} }, authorize: () => ({ id: "u1", name: "Ada" }) })
  type Go = (its: Awaited<ReturnType<typeof site>>) => Promise<unknown>
  const flows: readonly (readonly [string, Go])[] = [
    ["a provider", ({ op, browser }) => browser.signInWith(op, { as: "ada" })],
    ["credentials", ({ browser }) => browser.signIn("credentials", { name: "ada" })],
    ["an email request", ({ browser }) => browser.signIn("email", { email: "ada@example.test" })],
    [
      "an email link",
      async ({ browser, mail }) => {
        allow = true
        await browser.signIn("email", { email: "ada@example.test" })
        allow = false
        await browser.get(mail.link())
      },
    ],
  ]
  let allow = false

  async function ends(answer: string, go: Go, more: Partial<AuthConfig> = {}) {
    allow = false
    const { callbacks = {}, ...rest } = more
    const its = await site({ ...rest, callbacks: { signIn: () => (allow ? true : answer), ...callbacks } })
    const own = { ...its.config, providers: [...its.config.providers, password] }
    const browser = await visit(own)
    await go({ ...its, browser })
    expect(hasSession(browser)).toBe(false)
    expect(its.store.rows()).toMatchObject({ users: [], accounts: [], sessions: [] })
    return browser.location
  }

  describe.each(flows)("after %s", (_title, go) => {
    test.each([
      ["/waitlist", "https://app.test/waitlist"],
      ["waitlist", "https://app.test/waitlist"],
      ["https://app.test/waitlist?a=b#c", "https://app.test/waitlist?a=b#c"],
      ["https://partner.test/join?from=app", "https://partner.test/join?from=app"],
      ["http://localhost:4000/x", "http://localhost:4000/x"],
    ])("%j ends the flow and redirects to %s", async (answer, expected) => {
      expect(await ends(answer, go)).toBe(expected)
    })
  })

  test.each([
    ["two slashes", "//evil.test"],
    ["a slash and a backslash", "/\\evil.test"],
    ["a space in front", " https://evil.test/"],
    ["a tab in the scheme", "ht\ttps://evil.test/"],
    ["a script", "javascript:alert(1)"],
    ["a script that looks like a URL", "javascript://evil.test/%0aalert(1)"],
    ["data", "data:text/html,x"],
  ])("with %s stays on this site", async (_title, answer) => {
    expect(new URL(await ends(answer, flows[0]?.[1] ?? neverCalled)).origin).toBe("https://app.test")
  })

  test("goes through the redirect callback of the application", async () => {
    const seen = recorder<unknown>()
    const redirect = (params: { url: string; baseUrl: string }) => {
      seen.record(params)
      return params.url.startsWith("https://partner.test/") ? params.url : params.baseUrl
    }
    const go = flows[1]?.[1] ?? neverCalled
    expect(await ends("https://partner.test/join", go, { callbacks: { redirect } })).toBe("https://partner.test/join")
    expect(seen.messages).toContainEqual({ url: "https://partner.test/join", baseUrl: "https://app.test" })
    expect(await ends("https://other.test/", go, { callbacks: { redirect } })).toBe("https://app.test/")
  })

  test("goes through the default redirect callback under strict", async () => {
    const go = flows[1]?.[1] ?? neverCalled
    expect(await ends("https://partner.test/join", go, strict)).toBe("https://app.test/")
    expect(await ends("/waitlist", go, strict)).toBe("https://app.test/waitlist")
  })

  test("is the `url` for a form that asks for JSON", async () => {
    const config = { providers: [password], callbacks: { signIn: () => "https://partner.test/join" } }
    const browser = await visit(config)
    const response = await browser.fetch("/auth/callback/credentials", {
      method: "POST",
      body: new URLSearchParams({ csrfToken: (await browser.csrf()) ?? "", name: "ada" }),
      headers: { "x-auth-return-redirect": "1" },
    })
    expect([response.status, await response.json()]).toEqual([200, { url: "https://partner.test/join" }])
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
