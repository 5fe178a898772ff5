import type { AuthConfig } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import {
  type Message,
  type Question,
  emailOf,
  errorAt,
  hasSession,
  recorder,
  strategies,
} from "../../flows/signin/setup.js"
import { ada, base64Of, signUp, site } from "./setup.js"

type Answer = boolean | string | undefined

/** The application decides with `reply`, which the test can change. */
async function asked(config: Partial<AuthConfig> = {}) {
  const questions = recorder<Question>()
  const reply: { value: Answer | Error } = { value: true }
  const signIn = (question: Question) => {
    questions.record(question)
    if (reply.value instanceof Error) throw reply.value
    return reply.value as boolean | string
  }
  const its = await site({ config: { ...config, callbacks: { ...config.callbacks, signIn } } })
  return { ...its, questions, reply }
}

describe.each(strategies)("the signIn callback, strategy %s", (strategy) => {
  const session = { strategy }

  test("receives the user and the account of a registration", async () => {
    const its = await asked({ session })
    await signUp(its)
    const providerAccountId = base64Of(its.authenticator.credentials[0]?.id ?? "")
    expect(Object.keys(its.questions.one).toSorted()).toEqual(["account", "user"])
    expect(its.questions.one).toEqual({
      user: expect.objectContaining({ email: ada }),
      account: expect.objectContaining({ provider: "passkey", type: "webauthn", providerAccountId }),
    })
  })

  test("receives the stored user and account at a sign-in", async () => {
    const its = await asked({ session })
    await signUp(its)
    const [user] = its.store.rows().users
    await its.browser.fresh().signInWithPasskey(its.authenticator)
    expect(its.questions.messages).toHaveLength(2)
    expect(its.questions.messages[1]).toEqual({
      user: expect.objectContaining({ id: user?.id, email: ada }),
      account: expect.objectContaining({ provider: "passkey", type: "webauthn", userId: user?.id }),
    })
  })

  test.each<[string, Answer | Error, string]>([
    ["false", false, "/auth/error AccessDenied"],
    ["nothing", undefined, "/auth/error AccessDenied"],
    ["an error", new Error("The database is down"), "/auth/error AccessDenied"],
  ])("that returns %s prevents a registration and a sign-in", async (_, value, shown) => {
    const its = await asked({ session })
    its.reply.value = value
    await signUp(its)
    expect([errorAt(its.browser), hasSession(its.browser)]).toEqual([shown, false])
    expect(its.store.rows()).toMatchObject({ users: [], accounts: [], sessions: [], authenticators: [] })
    its.reply.value = true
    await signUp(its)
    its.reply.value = value
    const other = its.browser.fresh()
    await other.signInWithPasskey(its.authenticator)
    expect([errorAt(other), hasSession(other)]).toEqual([shown, false])
  })

  test("that returns a URL ends a registration and a sign-in there, without a session", async () => {
    const its = await asked({ session })
    its.reply.value = "/waitlist"
    await signUp(its)
    expect([its.browser.location, hasSession(its.browser)]).toEqual(["https://app.test/waitlist", false])
    expect(its.store.rows()).toMatchObject({ users: [], accounts: [], sessions: [], authenticators: [] })
    its.reply.value = true
    await signUp(its)
    its.reply.value = "/blocked?why=1"
    const other = its.browser.fresh()
    await other.signInWithPasskey(its.authenticator)
    expect([other.location, hasSession(other)]).toEqual(["https://app.test/blocked?why=1", false])
  })

  test("decides about a passkey that is added while signed in", async () => {
    const its = await asked({ session })
    await signUp(its)
    for (const value of [false, "/no"]) {
      its.reply.value = value
      await its.browser.registerPasskey(its.authenticator.clone(), { fields: {} }).catch(() => undefined)
    }
    expect(its.store.rows().authenticators).toHaveLength(1)
    expect(await emailOf(its.browser)).toBe(ada)
  })

  test("isn't called if the passkey isn't valid", async () => {
    const its = await asked({ session })
    its.authenticator.inject({ clientData: (data) => ({ ...data, origin: "https://evil.test" }) })
    await signUp(its)
    expect(its.questions.messages).toEqual([])
  })
})

describe("the jwt callback", () => {
  test("receives the user, the account and the trigger", async () => {
    const calls = recorder<Parameters<NonNullable<NonNullable<AuthConfig["callbacks"]>["jwt"]>>[0]>()
    const its = await site({
      config: {
        session: { strategy: "jwt" },
        callbacks: {
          jwt: (params) => {
            if (params.trigger !== undefined) calls.record({ ...params, token: { ...params.token } })
            return params.token
          },
        },
      },
    })
    await signUp(its)
    const [user] = its.store.rows().users
    await its.browser.fresh().signInWithPasskey(its.authenticator)
    const account = expect.objectContaining({ provider: "passkey", type: "webauthn", userId: user?.id })
    const token = { sub: user?.id, email: ada }
    const common = { user: expect.objectContaining({ id: user?.id, email: ada }), account }
    expect(calls.messages).toMatchObject([
      { ...common, token, isNewUser: true, trigger: "signUp" },
      { ...common, token, isNewUser: false, trigger: "signIn" },
    ])
    for (const call of calls.messages) expect(call.profile).toBeUndefined()
  })

  test("that returns null ends without a session", async () => {
    const its = await site({ config: { session: { strategy: "jwt" }, callbacks: { jwt: () => null } } })
    await signUp(its)
    expect(hasSession(its.browser)).toBe(false)
  })

  test("isn't called under strategy database", async () => {
    const calls: unknown[] = []
    const callbacks: AuthConfig["callbacks"] = {
      jwt: (params) => {
        calls.push(params)
        return params.token
      },
    }
    const its = await site({ config: { session: { strategy: "database" }, callbacks } })
    await signUp(its)
    expect([hasSession(its.browser), calls]).toEqual([true, []])
  })
})

describe("events", () => {
  test("report the sign-up and the sign-in", async () => {
    const created = recorder<Message<"createUser">>()
    const linked = recorder<Message<"linkAccount">>()
    const signedIn = recorder<Message<"signIn">>()
    const its = await site({
      config: { events: { createUser: created.record, linkAccount: linked.record, signIn: signedIn.record } },
    })
    await signUp(its)
    const [user] = its.store.rows().users
    const account = expect.objectContaining({ provider: "passkey", type: "webauthn" })
    expect(created.one).toEqual({ user: expect.objectContaining({ id: user?.id, email: ada }) })
    expect(linked.one).toMatchObject({ user: { id: user?.id }, account })
    await its.browser.fresh().signInWithPasskey(its.authenticator)
    expect(signedIn.messages).toMatchObject([
      { user: { id: user?.id }, account, isNewUser: true },
      { user: { id: user?.id }, account, isNewUser: false },
    ])
    for (const message of signedIn.messages) expect(message.profile).toBeUndefined()
  })

  test("don't report attempts that fail", async () => {
    const told: string[] = []
    const its = await site({
      config: {
        events: {
          createUser: () => void told.push("createUser"),
          linkAccount: () => void told.push("linkAccount"),
          signIn: () => void told.push("signIn"),
        },
      },
    })
    its.authenticator.inject({ clientData: (data) => ({ ...data, type: "webauthn.get" }) })
    await signUp(its)
    expect(told).toEqual([])
  })
})

describe("the page for new users", () => {
  test("is shown after a sign-up, with the callback URL, and not after a sign-in", async () => {
    const its = await site({ config: { pages: { newUser: "/welcome" } } })
    await its.browser.registerPasskey(its.authenticator, { fields: { email: ada, callbackUrl: "/inbox" } })
    const { pathname, searchParams } = new URL(its.browser.location)
    expect([pathname, searchParams.get("callbackUrl")]).toEqual(["/welcome", "https://app.test/inbox"])
    const other = its.browser.fresh()
    await other.signInWithPasskey(its.authenticator, { fields: { callbackUrl: "/inbox" } })
    expect(other.location).toBe("https://app.test/inbox")
  })
})

describe("the redirect callback", () => {
  test("decides where a sign-in ends", async () => {
    const its = await site({ config: { callbacks: { redirect: ({ baseUrl }) => `${baseUrl}/home` } } })
    await signUp(its)
    expect(its.browser.location).toBe("https://app.test/home")
  })
})
