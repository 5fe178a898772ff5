import { memoryAdapter } from "@latchkey/adapter-kit"
import credentials from "@latchkey/core/providers/credentials"
import { defineModule } from "@latchkey/core/module"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog, createProvider, frozenClock, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  breakable,
  errorAt,
  intercept,
  mailbox,
  type Message,
  recorder,
  signInByMail,
  strategies,
  strict,
} from "./setup.js"

async function site(more: Partial<AuthConfig> = {}) {
  const clock = frozenClock()
  const op = createProvider({ clock })
  const mail = mailbox()
  const store = memoryAdapter()
  const log = captureLog()
  const config = { providers: [op.provider(), mail.provider], adapter: store, logger: log.logger, ...more }
  const browser = await visit(config, { clock })
  const errors = () => log.entries.filter(({ level }) => level === "error")
  return { op, mail, store, clock, browser, errors, said: () => errors().map(({ message }) => message) }
}

describe("whether a refusal reveals that an email has an account", () => {
  test.each([
    ["strict, the provider says that the email isn't verified: no", strict, false, "OAuthCallbackError"],
    ["strict, the provider says nothing: no", strict, undefined, "OAuthCallbackError"],
    ["strict, the provider verified the email: yes", strict, true, "OAuthAccountNotLinked"],
    ["compatible: yes", {}, false, "OAuthAccountNotLinked"],
  ])("reveals it or not: %s", async (_title, mode, claim, error) => {
    const { op, store, errors, browser } = await site(mode)
    const { email_verified: _, ...ada } = op.people.ada
    op.people.ada = claim === undefined ? ada : { ...ada, email_verified: claim }
    await store.createUser({ id: "u1", email: "ada@example.test", emailVerified: new Date(0) })
    await browser.signInWith(op, { as: "ada" })
    expect(errorAt(browser)).toBe(`/auth/signin ${error}`)
    const [entry] = errors()
    expect(entry?.message).toBe("The sign-in was refused because another user has the same email")
    expect(entry?.detail).toMatchObject({ cause: { provider: "op" } })
  })

  test("an account of another user doesn't", async () => {
    const { op, mail, browser } = await site(strict)
    op.people.grace.email_verified = false
    await browser.fresh().signInWith(op, { as: "grace" })
    await signInByMail(browser, mail, "ada@example.test")
    await browser.signInWith(op, { as: "grace", fields: { link: "true" } })
    expect(errorAt(browser)).toBe("/auth/signin OAuthAccountNotLinked")
  })
})

describe("the events of an email sign-in", () => {
  test.each([true, false])("have the user and the account (new: %s)", async (isNewUser) => {
    const [created, signedIn] = [recorder<Message<"createUser">>(), recorder<Message<"signIn">>()]
    const { mail, browser, store } = await site({ events: { createUser: created.record, signIn: signedIn.record } })
    if (!isNewUser) await store.createUser({ id: "u1", email: "ada@example.test", emailVerified: null })
    await signInByMail(browser, mail, "ada@example.test")
    const [user] = store.rows().users
    expect(created.messages).toEqual(isNewUser ? [{ user }] : [])
    expect(signedIn.one.account).toMatchObject({ provider: "email", type: "email", userId: user?.id })
    expect(signedIn.one).toMatchObject({ user: { id: user?.id }, isNewUser })
  })
})

test("without an adapter the signIn event has no isNewUser", async () => {
  const told = recorder<Message<"signIn">>()
  const op = createProvider()
  const browser = await visit({ providers: [op.provider()], events: { signIn: told.record } })
  await browser.signInWith(op, { as: "ada" })
  expect(Object.keys(told.one).sort()).toEqual(["account", "profile", "user"])
})

describe("the log says", () => {
  test("that a link could not be restored, and why, after the error that came first", async () => {
    const store = memoryAdapter()
    let works = true
    const adapter = intercept(store, async (method, run) => {
      const failing = method === "createSession" || method === "createVerificationToken"
      if (!works && failing) throw new Error(`${method} is down`)
      return run()
    })
    const { mail, browser, errors, said } = await site({ adapter })
    await browser.signIn("email", { email: "ada@example.test" })
    works = false
    await browser.get(mail.link())
    expect(said()).toContain(
      "Could not restore the email link after the sign-in failed; the user has to request a new one",
    )
    const lost = errors().find(({ message }) => message.startsWith("Could not restore the email link"))
    expect(lost?.text).toContain("createVerificationToken is down")
    expect(errors().some(({ text }) => text.includes("createSession is down"))).toBe(true)
  })

  test("that the replaced session could not be ended, and why", async () => {
    const { adapter, arm } = breakable(memoryAdapter())
    const { op, browser, errors, said } = await site({ adapter, session: { strategy: "database" } })
    await browser.signInWith(op, { as: "ada" })
    arm({ method: "deleteSession", effect: "before" })
    await browser.signInWith(op, { as: "ada" })
    expect(said()).toEqual(["Could not end the replaced session; it stays valid until it expires"])
    expect(errors()[0]?.text).toContain("connection lost")
  })

  test("which provider an error belongs to", async () => {
    const jwt = () => {
      throw new Error("directory down")
    }
    const { op, browser, errors } = await site({ callbacks: { jwt }, session: { strategy: "jwt" } })
    await browser.signInWith(op, { as: "ada" })
    expect(errors()[0]?.detail).toMatchObject({ type: "CallbackRouteError", cause: { provider: "op" } })
  })

  test("which module refused, and why", async () => {
    const cause = new Error("the list is closed")
    const guard = () => ({ kind: "deny", reason: "not listed", cause }) as const
    const closed = defineModule({ id: "closed", load: async () => ({ guard }) })
    const { op, browser, errors, said } = await site({ modules: [closed] })
    await browser.signInWith(op, { as: "ada" })
    expect(said()).toEqual(["The module closed refused: not listed"])
    expect(errors()[0]?.text).toContain("the list is closed")
  })

  test("that a sign-in was not recent enough to link", async () => {
    const { op, mail, browser, clock, said } = await site(strict)
    await signInByMail(browser, mail, "ada@example.test")
    clock.advance({ minutes: 16 })
    await browser.signInWith(op, { as: "grace", fields: { link: "true" } })
    expect(said()).toContain("Linking an account needs a recent sign-in. Sign in again first")
  })
})

test.each([
  [15, 1],
  [16, 0],
])("a sign-in %s seconds in the future: %s account is linked", async (seconds, linked) => {
  const { op, mail, browser, clock, store } = await site({ ...strict, session: { strategy: "database" } })
  await signInByMail(browser, mail, "ada@example.test")
  clock.advance({ seconds: -seconds })
  await browser.signInWith(op, { as: "grace", fields: { link: "true" } })
  expect(store.rows().accounts).toHaveLength(linked)
})

describe("credentials of a stored user", () => {
  const authorize = () => ({ id: "u1", name: "Typed", email: "ada@example.test" })
  const providers = [credentials({ credentials: { name: {} }, authorize })]

  test.each([
    ["jwt", "Typed"],
    ["database", "Stored"],
  ] as const)("under strategy %s sign in the user as %s", async (strategy, name) => {
    const told = recorder<Message<"signIn">>()
    const { browser, store } = await site({
      ...strict,
      providers,
      session: { strategy },
      events: { signIn: told.record },
    })
    await store.createUser({ id: "u1", name: "Stored", email: "ada@example.test", emailVerified: null })
    await browser.signIn("credentials", { name: "ada" })
    expect(told.one.user.name).toBe(name)
  })

  test.each(strategies)("that the adapter doesn't know is refused under strategy %s, with advice", async (strategy) => {
    for (const missing of [null, undefined]) {
      const adapter = Object.assign(memoryAdapter(), { getUser: () => missing })
      const { browser, said } = await site({ ...strict, adapter, providers, session: { strategy } })
      await browser.signIn("credentials", { name: "ada" })
      expect(errorAt(browser)).toBe("/auth/error Configuration")
      const other = strategy === "jwt" ? "`security.revocableSessions: false`" : '`session.strategy: "jwt"`'
      expect(said().filter((message) => message.includes("authorize() returned"))).toEqual([
        `authorize() returned a user that isn't in the database. Return a stored user, or use ${other}`,
      ])
    }
  })

  test("needs no row if the adapter has no getUser", async () => {
    const { getUser: _, ...adapter } = memoryAdapter()
    await adapter.createUser({ id: "u1", name: "Stored", email: "ada@example.test", emailVerified: null })
    const { browser, said } = await site({ ...strict, adapter, providers, session: { strategy: "jwt" } })
    await browser.signIn("credentials", { name: "ada" })
    expect(said()).toEqual([])
    expect(errorAt(browser)).toBe("/ null")
  })
})
