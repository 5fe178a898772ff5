import { memoryAdapter } from "@latchkey/adapter-kit"
import { CredentialsSignin } from "@latchkey/core/errors"
import credentials from "@latchkey/core/providers/credentials"
import type { AuthConfig, CredentialsConfig } from "@latchkey/core/types"
import { captureLog, createProvider, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  emailOf,
  errorAt,
  hasSession,
  intercept,
  type Message,
  type Question,
  recorder,
  strategies,
  strict,
} from "./setup.js"

type Authorize = CredentialsConfig["authorize"]

const ada = { id: "u1", name: "Ada", email: "ada@example.test" }

async function site(authorize: Authorize, more: Partial<AuthConfig> = {}) {
  const log = captureLog()
  const provider = credentials({ credentials: { name: {}, password: { type: "password" } }, authorize })
  const browser = await visit({ providers: [provider], logger: log.logger, ...more })
  return { browser, log }
}

const typed = { name: "ada", password: "correct horse" }

test("authorize gets the fields of the form, and the request", async () => {
  const calls: unknown[] = []
  const { browser } = await site(async (given, request) => {
    calls.push(given, request.method, request.url, await request.json())
    return ada
  })
  await browser.signIn("credentials", { ...typed, callbackUrl: "/inbox" })
  const [given, method, url, body] = calls
  expect(given).toEqual({ ...typed, callbackUrl: "/inbox", csrfToken: expect.stringMatching(/^[0-9a-f]{64}$/) })
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

  test.each(["true", '"x"', "7"])("CRED-02: %s from authorize isn't a user", async (user) => {
    const { browser } = await site(() => JSON.parse(user))
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

describe("the id of a user from authorize", () => {
  const uuid = expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  const objectId = { toString: () => "65f0c0ffee65f0c0ffee65f0" }

  async function signedIn(users: readonly object[]) {
    const claims = recorder<{ sub: unknown; account: unknown; name: unknown }>()
    const seen = [...users]
    const { browser, log } = await site(() => Object(seen.shift()), {
      callbacks: {
        jwt({ token, account }) {
          if (account) claims.record({ sub: token.sub, account: account.providerAccountId, name: token.name })
          return token
        },
      },
    })
    for (const _ of users) await browser.fresh().signIn("credentials", typed)
    const warnings = log.entries.filter(({ message }) => message === "user-without-id")
    return { claims: claims.messages, warnings }
  }

  test.each<[string, unknown, unknown]>([
    ["a number", 42, "42"],
    ["zero", 0, "0"],
    ["a big integer", 42n, "42"],
    ["an object such as the ObjectId of MongoDB", objectId, "65f0c0ffee65f0c0ffee65f0"],
    ["text", "u1", "u1"],
  ])("that is %s becomes text", async (_title, id, expected) => {
    const { claims, warnings } = await signedIn([{ id, name: "Ada" }])
    expect(claims).toEqual([{ sub: expected, account: expected, name: "Ada" }])
    expect(warnings).toEqual([])
  })

  test.each<[string, object]>([
    ["missing", { name: "Ada" }],
    ["undefined", { id: undefined, name: "Ada" }],
    ["null", { id: null, name: "Ada" }],
    ["empty", { id: "", name: "Ada" }],
    ["NaN", { id: Number.NaN, name: "Ada" }],
    ["a plain object", { id: {}, name: "Ada" }],
  ])("is generated if it's %s, and the log warns once", async (_title, user) => {
    const { claims, warnings } = await signedIn([user, { ...user }])
    expect(claims).toEqual([
      { sub: uuid, account: claims[0]?.sub, name: "Ada" },
      { sub: uuid, account: claims[1]?.sub, name: "Ada" },
    ])
    expect(claims[0]?.sub).not.toBe(claims[1]?.sub)
    expect(warnings).toHaveLength(1)
  })

  test("can come from a row of an ORM, whose fields are on its prototype", async () => {
    class Row {
      #columns: Record<string, unknown>
      constructor(columns: Record<string, unknown>) {
        this.#columns = columns
      }
      get id() {
        return this.#columns["id"]
      }
      set id(id: unknown) {
        this.#columns = { ...this.#columns, id }
      }
      get name() {
        return this.#columns["name"]
      }
    }
    const { claims } = await signedIn([new Row({ id: 7, name: "Ada" }), new Row({ name: "Grace" })])
    expect(claims).toMatchObject([
      { sub: "7", name: "Ada" },
      { sub: uuid, name: "Grace" },
    ])
  })

  test("is required under strict", async () => {
    const { browser } = await site(() => Object({ name: "Ada" }), strict)
    await browser.signIn("credentials", typed)
    expect(errorAt(browser)).toBe("/auth/error Configuration")
    expect(hasSession(browser)).toBe(false)
  })
})

test("the signIn callback gets user, account and credentials", async () => {
  const questions = recorder<Question>()
  const { browser } = await site(() => ada, { callbacks: { signIn: (question) => (questions.record(question), true) } })
  await browser.signIn("credentials", typed)
  expect({ ...questions.one }).toEqual({
    user: ada,
    account: { providerAccountId: "u1", type: "credentials", provider: "credentials" },
    credentials: { ...typed, csrfToken: expect.any(String) },
  })
})

test("under strict, authorize and the signIn callback get the fields without those of the protocol", async () => {
  const seen: unknown[] = []
  const signIn = ({ credentials: fields }: Question) => seen.push(fields) > 0
  const { browser } = await site((given) => (seen.push(given), ada), { ...strict, callbacks: { signIn } })
  await browser.signIn("credentials", { ...typed, callbackUrl: "/inbox" })
  expect(seen).toEqual([typed, typed])
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

describe("a form that doesn't say who the user is", () => {
  async function warnings(form: CredentialsConfig["credentials"], typed: Record<string, string>, rest: object = {}) {
    const log = captureLog()
    const provider = credentials({
      credentials: form,
      authorize: ({ password }) => (password === "wrong" ? null : ada),
      ...rest,
    })
    const browser = await visit({ providers: [provider], logger: log.logger })
    for (let time = 0; time < 2; time++) await browser.fresh().signIn("credentials", typed)
    return log.entries.flatMap(({ message, text }) => (message === "user-not-limited" ? [text] : []))
  }

  test("is named once in the log, after a sign-in", async () => {
    const typed = { badge: "7", password: "x" }
    expect(await warnings({}, typed)).toEqual([expect.stringContaining("Set `identifier` on the provider")])
  })

  test("is named once in the log, before a sign-in, if the declared fields only have a secret", async () => {
    const form = { password: { type: "password" } }
    expect(await warnings(form, { password: "wrong" })).toEqual([expect.stringContaining("set `identifier`")])
    expect(await warnings(form, { password: "x" })).toHaveLength(1)
  })

  test("is fine if a field does, no secret can be guessed, `identifier` is set, or the sign-in fails", async () => {
    expect(await warnings({}, { email: "ada@app.test", password: "x" })).toEqual([])
    expect(await warnings({}, { message: "m", signature: "s" })).toEqual([])
    expect(await warnings({}, { badge: "7", password: "x" }, { identifier: () => undefined })).toEqual([])
    expect(await warnings({}, { badge: "7", password: "wrong" })).toEqual([])
  })
})
