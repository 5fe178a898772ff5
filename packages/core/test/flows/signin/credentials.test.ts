import { memoryAdapter } from "@latchkey/adapter-kit"
import { CredentialsSignin } from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import type { AuthConfig, CredentialsConfig } from "@latchkey/core/types"
import { captureLog, createProvider, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { emailOf, errorAt, hasSession, intercept, type Message, type Question, recorder, strategies } from "./setup.js"

type Authorize = CredentialsConfig["authorize"]

const ada = { id: "u1", name: "Ada", email: "ada@example.test" }

async function site(authorize: Authorize, more: Partial<AuthConfig> = {}) {
  const log = captureLog()
  const provider = credentials({ credentials: { name: {}, password: { type: "password" } }, authorize })
  const browser = await visit({ providers: [provider], logger: log.logger, ...more })
  return { browser, log }
}

const typed = { name: "ada", password: "correct horse" }

test("authorize gets the fields without those of the protocol, and the request", async () => {
  const calls: unknown[] = []
  const { browser } = await site(async (given, request) => {
    calls.push(given, request.method, request.url, await request.json())
    return ada
  })
  await browser.signIn("credentials", { ...typed, callbackUrl: "/inbox" })
  const [given, method, url, body] = calls
  expect(given).toEqual(typed)
  expect(method).toBe("POST")
  expect(url).toBe("https://app.test/auth/callback/credentials")
  expect(body).toMatchObject(typed)
  expect(browser.location).toBe("https://app.test/inbox")
})

class LockedOut extends CredentialsSignin {
  override code = "locked"
}

describe("a failed sign-in", () => {
  const throwing = (error: Error) => () => {
    throw error
  }
  test.each<[string, Authorize, string, string | null]>([
    ["null", () => null, "/auth/signin CredentialsSignin", "credentials"],
    ["CredentialsSignin", throwing(new CredentialsSignin()), "/auth/signin CredentialsSignin", "credentials"],
    ["a subclass with a code", throwing(new LockedOut()), "/auth/signin CredentialsSignin", "locked"],
    ["another error", throwing(new Error("db password is hunter2")), "/auth/error Configuration", null],
  ])("%s from authorize starts no session", async (_title, authorize, error, code) => {
    const { browser } = await site(authorize)
    await browser.signIn("credentials", typed)
    expect(errorAt(browser)).toBe(error)
    expect(new URL(browser.location).searchParams.get("code")).toBe(code)
    expect(hasSession(browser)).toBe(false)
    expect(browser.text).not.toContain("hunter2")
  })

  const nonUsers: [string, unknown][] = [
    ["{}", {}],
    ["[]", []],
    ["true", true],
    ["text", "x"],
    ["a Response", new Response("no")],
    ["an error object", { error: "bad" }],
    ["an empty id", { id: "" }],
    ["NaN as the id", { id: Number.NaN }],
  ]
  test.each(nonUsers)("CRED-02: %s from authorize isn't a user", async (_title, user) => {
    const { browser } = await site(async () =>
      Object(user) === user ? Object(user) : JSON.parse(JSON.stringify(user)),
    )
    await browser.signIn("credentials", typed)
    expect(errorAt(browser)).toBe("/auth/error Configuration")
    expect(hasSession(browser)).toBe(false)
  })

  test("undefined from authorize is a wrong password", async () => {
    const { browser } = await site(() => JSON.parse("null") ?? undefined)
    await browser.signIn("credentials", typed)
    expect(errorAt(browser)).toBe("/auth/signin CredentialsSignin")
  })

  test("a POST without the CSRF token doesn't reach authorize", async () => {
    let reached = false
    const { browser } = await site(() => {
      reached = true
      return ada
    })
    await browser.post("/auth/callback/credentials", typed)
    expect(errorAt(browser)).toBe("/auth/signin MissingCSRF")
    expect(reached).toBe(false)
  })

  test("credentials in the query of a GET don't reach authorize", async () => {
    let reached = false
    const { browser } = await site(() => {
      reached = true
      return ada
    })
    await browser.get("/auth/callback/credentials?name=ada&password=correct+horse")
    expect(reached).toBe(false)
    expect(hasSession(browser)).toBe(false)
  })

  test("the password isn't logged", async () => {
    const { browser, log } = await site(() => null, { debug: true })
    log.forbid(typed.password)
    await browser.signIn("credentials", typed)
    log.assertClean()
  })
})

test("a numeric id becomes text", async () => {
  const ids = recorder<unknown>()
  const { browser } = await site(() => Object({ id: 42 }), {
    callbacks: { jwt: ({ token }) => (ids.record(token.sub), token) },
  })
  await browser.signIn("credentials", typed)
  expect(ids.messages[0]).toBe("42")
})

test("the signIn callback gets user, account and credentials", async () => {
  const questions = recorder<Question>()
  const { browser } = await site(() => ada, { callbacks: { signIn: (question) => (questions.record(question), true) } })
  await browser.signIn("credentials", typed)
  expect({ ...questions.one }).toEqual({
    user: ada,
    account: { providerAccountId: "u1", type: "credentials", provider: "credentials" },
    credentials: typed,
  })
})

test.each([
  ["false", () => false, "/auth/error AccessDenied"],
  ["nothing", () => JSON.parse("null"), "/auth/error AccessDenied"],
  ["a rejected promise", () => Promise.reject(new Error("no")), "/auth/error AccessDenied"],
])("%s from the signIn callback refuses", async (_title, signIn, error) => {
  const { browser } = await site(() => ada, { callbacks: { signIn } })
  await browser.signIn("credentials", typed)
  expect(errorAt(browser)).toBe(error)
  expect(hasSession(browser)).toBe(false)
})

test("the jwt callback gets token, user, account, isNewUser false and the trigger signIn", async () => {
  const calls = recorder<object>()
  const { browser } = await site(() => ada, { callbacks: { jwt: (call) => (calls.record({ ...call }), call.token) } })
  await browser.signIn("credentials", typed)
  expect(calls.one).toEqual({
    token: { name: "Ada", email: "ada@example.test", sub: "u1" },
    user: ada,
    account: { providerAccountId: "u1", type: "credentials", provider: "credentials" },
    isNewUser: false,
    trigger: "signIn",
  })
})

test("null from the jwt callback ends the current session and starts none", async () => {
  let open = true
  const { browser } = await site(() => ada, { callbacks: { jwt: ({ token }) => (open ? token : null) } })
  await browser.signIn("credentials", typed)
  expect(hasSession(browser)).toBe(true)
  open = false
  await browser.signIn("credentials", typed)
  expect(hasSession(browser)).toBe(false)
})

test("the signIn event gets user and account, and pages.newUser isn't used", async () => {
  const told = recorder<Message<"signIn">>()
  const { browser } = await site(() => ada, { events: { signIn: told.record }, pages: { newUser: "/welcome" } })
  await browser.signIn("credentials", { ...typed, callbackUrl: "/inbox" })
  expect(Object.keys(told.one).sort()).toEqual(["account", "user"])
  expect(browser.location).toBe("https://app.test/inbox")
})

describe("with an adapter", () => {
  const provider = credentials({ authorize: () => ada })
  test.each(strategies)("a known user signs in under strategy %s", async (strategy) => {
    const store = memoryAdapter()
    await store.createUser({ ...ada, emailVerified: null })
    const providers = [provider, createProvider().provider()]
    const browser = await visit({ providers, adapter: store, session: { strategy } })
    await browser.signIn("credentials", typed)
    expect(await emailOf(browser)).toBe("ada@example.test")
    expect(store.rows().sessions).toHaveLength(strategy === "database" ? 1 : 0)
    expect(store.rows().accounts).toHaveLength(0)
  })

  test("CRED-05: a user that the adapter doesn't know gets no session under strategy database", async () => {
    const browser = await visit({
      providers: [provider, createProvider().provider()],
      adapter: memoryAdapter(),
      session: { strategy: "database" },
    })
    await browser.signIn("credentials", typed)
    expect(errorAt(browser)).toBe("/auth/error Configuration")
    expect(hasSession(browser)).toBe(false)
  })

  test("strategy jwt doesn't use the adapter", async () => {
    const calls: string[] = []
    const adapter = intercept(memoryAdapter(), (method, run) => (calls.push(method), run()))
    const browser = await visit({ providers: [provider], adapter, session: { strategy: "jwt" } })
    await browser.signIn("credentials", typed)
    expect(hasSession(browser)).toBe(true)
    expect(calls).toEqual([])
  })
})
