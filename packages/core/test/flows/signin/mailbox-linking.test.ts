import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit"
import { createProvider, frozenClock, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  emailOf,
  type Events,
  hasSession,
  intercept,
  mailbox,
  type Message,
  signInByMail,
  strategies,
  type Strategy,
  strict,
} from "./setup.js"

async function site(strategy: Strategy) {
  const clock = frozenClock()
  const store: MemoryAdapter = memoryAdapter()
  const calls: string[] = []
  const told: string[] = []
  const signIns: Message<"signIn">[] = []
  const mail = mailbox()
  const events: Events = {
    createUser: () => void told.push("createUser"),
    linkAccount: () => void told.push("linkAccount"),
    updateUser: () => void told.push("updateUser"),
    signIn: (message) => void signIns.push(message),
  }
  const adapter = intercept(store, (method, run) => (calls.push(method), run()))
  const browser = await visit({ providers: [mail.provider], adapter, session: { strategy }, events }, { clock })
  return { clock, store, mail, browser, calls, told, signIns }
}

describe.each(strategies)("an email link, strategy %s", (strategy) => {
  test("new email, not signed in: a verified user is created, without an account", async () => {
    const { browser, mail, store, told, signIns, clock } = await site(strategy)
    await signInByMail(browser, mail, "ada@example.test")
    expect(store.rows().users).toEqual([
      { id: expect.any(String), email: "ada@example.test", emailVerified: new Date(clock.now()) },
    ])
    expect(store.rows().accounts).toEqual([])
    expect(told).toEqual(["createUser"])
    expect(signIns.map(({ isNewUser }) => isNewUser)).toEqual([true])
  })

  test("new email, another user signed in: a user is created and replaces the session", async () => {
    const { browser, mail, store } = await site(strategy)
    await signInByMail(browser, mail, "ada@example.test")
    await signInByMail(browser, mail, "grace@example.test")
    expect(store.rows().users).toHaveLength(2)
    expect(await emailOf(browser)).toBe("grace@example.test")
    expect(store.rows().sessions).toHaveLength(strategy === "database" ? 1 : 0)
  })

  test("known email, not signed in: the email is verified and the user isn't new", async () => {
    const { browser, mail, store, told, signIns, clock } = await site(strategy)
    await store.createUser({ id: "u1", name: "Ada", email: "ada@example.test", emailVerified: null })
    await signInByMail(browser, mail, "ada@example.test")
    expect(store.rows().users).toEqual([
      { id: "u1", name: "Ada", email: "ada@example.test", emailVerified: new Date(clock.now()) },
    ])
    expect(told).toEqual(["updateUser"])
    expect(signIns.map(({ isNewUser }) => isNewUser)).toEqual([false])
  })

  test("email of the signed-in user: a new session replaces the old one", async () => {
    const { browser, mail, store } = await site(strategy)
    await signInByMail(browser, mail, "ada@example.test")
    const [before] = store.rows().sessions
    await signInByMail(browser, mail, "ada@example.test")
    expect(await emailOf(browser)).toBe("ada@example.test")
    expect(store.rows().users).toHaveLength(1)
    if (strategy === "database") {
      expect(store.rows().sessions).toHaveLength(1)
      expect(store.rows().sessions[0]?.sessionToken).not.toBe(before?.sessionToken)
    }
  })

  test("email of another user: the current session ends and that user is signed in", async () => {
    const { browser, mail, store } = await site(strategy)
    await store.createUser({ id: "u1", email: "grace@example.test", emailVerified: null })
    await signInByMail(browser, mail, "ada@example.test")
    await signInByMail(browser, mail, "grace@example.test")
    expect(await emailOf(browser)).toBe("grace@example.test")
    expect(store.rows().sessions.map(({ userId }) => userId)).toEqual(strategy === "database" ? ["u1"] : [])
  })

  test("an invalid session cookie doesn't matter", async () => {
    const { browser, mail } = await site(strategy)
    await signInByMail(browser, mail, "ada@example.test")
    const [cookie] = browser.cookies
    if (cookie !== undefined) browser.jar.put({ ...cookie, value: "invalid" })
    await signInByMail(browser, mail, "grace@example.test")
    expect(await emailOf(browser)).toBe("grace@example.test")
  })
})

describe("MAIL-04: an adapter that compares emails loosely", () => {
  async function loose() {
    const store = memoryAdapter()
    await store.createUser({ id: "victim", email: "mike@example.test", emailVerified: null })
    const mail = mailbox()
    const adapter = intercept(store, async (method, run) =>
      method === "getUserByEmail" ? store.getUser("victim") : run(),
    )
    return { store, mail, browser: await visit({ providers: [mail.provider], adapter }) }
  }

  test("doesn't sign in a look-alike email", async () => {
    const { store, mail, browser } = await loose()
    for (const email of ["mıke@example.test", "mikee@example.test", "ｍike@example.test"]) {
      await signInByMail(browser, mail, email)
      expect(await emailOf(browser)).toBe(email.normalize("NFKC"))
    }
    expect(mail.sent.map(({ identifier }) => identifier)).toEqual([
      "mıke@example.test",
      "mikee@example.test",
      "mike@example.test",
    ])
    expect(store.rows().users).toHaveLength(3)
  })

  test("doesn't link a provider account by a look-alike email", async () => {
    const store = memoryAdapter()
    await store.createUser({ id: "victim", email: "mike@example.test", emailVerified: new Date(0) })
    const op = createProvider({ people: { eve: { email: "mikee@example.test", email_verified: true } } })
    const adapter = intercept(store, async (method, run) =>
      method === "getUserByEmail" ? store.getUser("victim") : run(),
    )
    const browser = await visit({ providers: [op.provider({ allowDangerousEmailAccountLinking: true })], adapter })
    await browser.signInWith(op, { as: "eve" })
    expect(store.rows().accounts.map(({ userId }) => userId)).not.toContain("victim")
  })

  test("the message goes to the stored email", async () => {
    const store = memoryAdapter()
    await store.createUser({ id: "u1", email: "Mike@Example.test", emailVerified: null })
    const mail = mailbox()
    const adapter = intercept(store, async (method, run) => (method === "getUserByEmail" ? store.getUser("u1") : run()))
    const browser = await visit({ providers: [mail.provider], adapter })
    await signInByMail(browser, mail, "mike@example.test")
    expect(mail.sent[0]?.identifier).toBe("Mike@Example.test")
    expect(hasSession(browser)).toBe(true)
    expect(store.rows().users).toHaveLength(1)
  })
})

test("under strict, the first verification of an email ends other sessions and unlinks accounts", async () => {
  const store = memoryAdapter()
  const op = createProvider({ people: { eve: { email: "ada@example.test", email_verified: false } } })
  const mail = mailbox()
  const providers = [op.provider(), mail.provider]
  const attacker = await visit({ providers, adapter: store, ...strict, session: { strategy: "database" } })
  await attacker.signInWith(op, { as: "eve" })
  expect(hasSession(attacker)).toBe(true)
  const victim = attacker.fresh()
  await signInByMail(victim, mail, "ada@example.test")
  expect(await emailOf(victim)).toBe("ada@example.test")
  expect(await attacker.session()).toBeNull()
  expect(store.rows().accounts).toEqual([])
})
