import { memoryAdapter } from "@latchkey/adapter-kit"
import type { Adapter } from "@latchkey/core/adapters"
import type { AuthConfig, JWT } from "@latchkey/core/types"
import { captureLog, createProvider, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { emailOf, errorAt, hasSession, intercept, mailbox, signInByMail, withoutTransactions } from "./setup.js"

/** Strategy `jwt` has no required methods, so the configuration check passes. */
async function site(change: (store: Adapter) => Adapter, more: Partial<AuthConfig> = {}) {
  const store = memoryAdapter()
  const op = createProvider()
  const log = captureLog()
  const browser = await visit({
    providers: [op.provider()],
    adapter: change(withoutTransactions(store)),
    session: { strategy: "jwt" },
    logger: log.logger,
    ...more,
  })
  return { store, op, log, browser, said: () => errorsOf(log) }
}

function errorsOf({ entries }: ReturnType<typeof captureLog>): string[] {
  return entries.filter(({ level }) => level === "error").map(({ message }) => message)
}

function without(...names: readonly (keyof Adapter)[]) {
  return (store: Adapter): Adapter =>
    Object.fromEntries(Object.entries(store).filter(([name]) => !names.some((each) => each === name)))
}

describe("an adapter without", () => {
  test.each(["createUser", "linkAccount"] as const)("%s: sign-up fails, and the log names the method", async (name) => {
    const { op, browser, store, said } = await site(without(name))
    await browser.signInWith(op, { as: "ada" })
    expect(errorAt(browser)).toBe("/auth/error Configuration")
    expect(said()).toEqual([`The adapter has no ${name}. Use an adapter that implements it`])
    expect(store.rows()).toMatchObject({ users: [], accounts: [] })
  })

  test.each(["createUser", "updateUser"] as const)(
    "%s: no link signs in, and the log names the method",
    async (name) => {
      const mail = mailbox()
      const { browser, store, said } = await site(without(name), { providers: [mail.provider] })
      if (name === "updateUser") await store.createUser({ id: "u1", email: "ada@example.test", emailVerified: null })
      await signInByMail(browser, mail, "ada@example.test")
      expect(hasSession(browser)).toBe(false)
      expect(said()).toContain(`The adapter has no ${name}. Use an adapter that implements it`)
    },
  )

  test("lookup methods: a first sign-in succeeds", async () => {
    const { op, browser } = await site(without("getUserByAccount", "getUserByEmail", "getUser", "getAccount"))
    await browser.signInWith(op, { as: "ada" })
    expect(await emailOf(browser)).toBe("ada@example.test")
  })

  test("getAccount, updateAccount and getUser: a known account signs in", async () => {
    const { op, browser, store } = await site(without("getAccount", "updateAccount", "getUser"))
    await browser.signInWith(op, { as: "ada" })
    await browser.signInWith(op, { as: "ada" })
    expect(errorAt(browser)).toBe("/ null")
    const other = browser.fresh()
    await other.signInWith(op, { as: "ada" })
    expect(await emailOf(other)).toBe("ada@example.test")
    expect(store.rows().users).toHaveLength(1)
  })

  test("delete methods: an email is still verified", async () => {
    const mail = mailbox()
    const change = without("deleteSessions", "listAccounts", "unlinkAccount")
    const { browser, store } = await site(change, { providers: [mail.provider], security: { reclaimMailbox: true } })
    await store.createUser({ id: "u1", email: "ada@example.test", emailVerified: null })
    await store.linkAccount({ userId: "u1", provider: "op", providerAccountId: "ada", type: "oidc" })
    await signInByMail(browser, mail, "ada@example.test")
    expect(await emailOf(browser)).toBe("ada@example.test")
  })

  test("listAccounts: nothing is unlinked", async () => {
    const mail = mailbox()
    const calls: string[] = []
    const change = (store: Adapter) =>
      intercept(without("listAccounts")(store), (method, run) => (calls.push(method), run()))
    const { browser, store } = await site(change, { providers: [mail.provider], security: { reclaimMailbox: true } })
    await store.createUser({ id: "u1", email: "ada@example.test", emailVerified: null })
    await signInByMail(browser, mail, "ada@example.test")
    expect(await emailOf(browser)).toBe("ada@example.test")
    expect(calls).toContain("deleteSessions")
    expect(calls).not.toContain("unlinkAccount")
  })

  test("unlinkAccount: the owner of the email can still sign in", async () => {
    const mail = mailbox()
    const more = { providers: [mail.provider], security: { reclaimMailbox: true } }
    const { browser, store } = await site(without("unlinkAccount"), more)
    await store.createUser({ id: "u1", email: "ada@example.test", emailVerified: null })
    await store.linkAccount({ userId: "u1", provider: "op", providerAccountId: "ada", type: "oidc" })
    await signInByMail(browser, mail, "ada@example.test")
    expect(await emailOf(browser)).toBe("ada@example.test")
  })
})

/** What a JavaScript adapter can return instead of a row. */
const noRows: readonly string[] = ["null", "{}", '{"id":null}', "[]"]

describe("an adapter that returns no user", () => {
  const answering =
    (name: "createUser" | "updateUser", answer: string) =>
    (store: Adapter): Adapter => ({
      ...store,
      [name]: () => (answer === "[]" ? undefined : JSON.parse(answer)),
    })

  test.each(noRows)("but %s from createUser signs no user up", async (answer) => {
    const { op, browser, said } = await site(answering("createUser", answer))
    await browser.signInWith(op, { as: "ada" })
    expect(hasSession(browser)).toBe(false)
    expect(said()).toEqual(["The adapter returned no user from createUser. Return the stored row"])
  })

  test.each(["createUser", "updateUser"] as const)("from %s signs no user in with a link", async (name) => {
    const mail = mailbox()
    const { browser, said, store } = await site(answering(name, "null"), { providers: [mail.provider] })
    if (name === "updateUser") await store.createUser({ id: "u1", email: "ada@example.test", emailVerified: null })
    await signInByMail(browser, mail, "ada@example.test")
    expect(hasSession(browser)).toBe(false)
    expect(said()).toContain(`The adapter returned no user from ${name}. Return the stored row`)
  })
})

describe("FAULT-01: undoing a sign-up", () => {
  test("doesn't delete a user that wasn't created", async () => {
    const calls: string[] = []
    const failing = (store: Adapter) =>
      intercept(store, async (method, run) => {
        calls.push(method)
        if (method === "createUser") throw new Error("disk full")
        return run()
      })
    const { op, browser } = await site(failing)
    await browser.signInWith(op, { as: "ada" })
    expect(calls).toContain("createUser")
    expect(calls).not.toContain("deleteUser")
  })

  test("doesn't unlink an account that another user linked meanwhile", async () => {
    const store = memoryAdapter()
    await store.createUser({ id: "u1", email: "first@example.test", emailVerified: null })
    const overtaken = intercept(withoutTransactions(store), async (method, run) => {
      if (method !== "linkAccount") return run()
      await store.linkAccount({ userId: "u1", provider: "op", providerAccountId: "ada", type: "oidc" })
      throw new Error("duplicate key")
    })
    const { op, browser } = await site(() => overtaken)
    await browser.signInWith(op, { as: "ada" })
    expect(store.rows().accounts).toMatchObject([{ userId: "u1", providerAccountId: "ada" }])
    expect(store.rows().users).toHaveLength(1)
    expect(await emailOf(browser)).toBe("first@example.test")
  })
})

describe("finding the owner", () => {
  test("an account that the adapter found by a loose comparison is ignored", async () => {
    const loose = (store: Adapter): Adapter => ({
      ...store,
      getUserByAccount: () => store.getUserByEmail?.("eve@example.test") ?? null,
      getAccount: () => ({ userId: "u1", provider: "op", providerAccountId: "ADA", type: "oidc" }),
    })
    const { op, browser, store } = await site(loose)
    await store.createUser({ id: "u1", email: "eve@example.test", emailVerified: null })
    await browser.signInWith(op, { as: "ada" })
    expect(await emailOf(browser)).toBe("ada@example.test")
  })

  test("an email of a row without emailVerified isn't trusted", async () => {
    const op = createProvider()
    const silent = (store: Adapter): Adapter => ({
      ...store,
      getUserByEmail: (email) => JSON.parse(JSON.stringify({ id: "u1", email })),
    })
    const providers = [op.provider({ allowEmailAccountLinking: "verified" })]
    const { browser, store } = await site(silent, { providers })
    await store.createUser({ id: "u1", email: "ada@example.test", emailVerified: null })
    await browser.signInWith(op, { as: "ada" })
    expect(errorAt(browser)).toBe("/auth/signin OAuthAccountNotLinked")
    expect(store.rows().accounts).toEqual([])
  })

  test.each([true, false])("the email of a plain OAuth provider links if that's allowed: %s", async (allowed) => {
    const op = createProvider()
    const providers = [op.oauthProvider({ allowDangerousEmailAccountLinking: allowed })]
    const { browser, store } = await site((whole) => whole, { providers })
    op.people.ada.email_verified = true
    await store.createUser({ id: "u1", email: "ada@example.test", emailVerified: null })
    await browser.signInWith(op, { as: "ada" })
    expect(hasSession(browser)).toBe(allowed)
    expect(store.rows().accounts).toHaveLength(allowed ? 1 : 0)
  })

  test("a session without a user id needs no lookup", async () => {
    const calls: string[] = []
    const change = (store: Adapter) => intercept(store, (method, run) => (calls.push(method), run()))
    const jwt = ({ token }: { token: JWT }) => {
      const { sub: _, ...nameless } = token
      return nameless
    }
    const { op, browser, store } = await site(change, { callbacks: { jwt } })
    await browser.signInWith(op, { as: "ada" })
    await browser.signInWith(op, { as: "grace" })
    expect(store.rows().users).toHaveLength(2)
    expect(calls).not.toContain("getUser")
  })

  test("the email isn't looked up if the account is known", async () => {
    const calls: string[] = []
    const { op, browser } = await site((store) => intercept(store, (method, run) => (calls.push(method), run())))
    await browser.signInWith(op, { as: "ada" })
    expect(calls).toContain("getUserByEmail")
    calls.length = 0
    await browser.fresh().signInWith(op, { as: "ada" })
    expect(calls).toContain("getUserByAccount")
    expect(calls).not.toContain("getUserByEmail")
  })
})
