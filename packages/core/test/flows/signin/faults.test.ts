import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit"
import { captureLog, createProvider, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  breakable,
  emailOf,
  errorAt,
  type Fault,
  hasSession,
  intercept,
  mailbox,
  signInByMail,
  withoutTransactions,
} from "./setup.js"

const stores = ["with transactions", "without transactions"] as const

async function site(kind: (typeof stores)[number]) {
  const store = memoryAdapter()
  const { adapter, arm, hit } = breakable(kind === "with transactions" ? store : withoutTransactions(store))
  const op = createProvider()
  const mail = mailbox()
  const log = captureLog()
  const providers = [op.provider(), mail.provider]
  const browser = await visit({ providers, adapter, session: { strategy: "database" }, logger: log.logger })
  return { store, arm, hit, op, mail, log, browser }
}

/** Users without an account or a verified email, and accounts without a user. */
function halfCreated(store: MemoryAdapter): unknown[] {
  const { users, accounts } = store.rows()
  const orphans = users.filter(
    ({ id, emailVerified }) => emailVerified === null && !accounts.some(({ userId }) => userId === id),
  )
  return [...orphans, ...accounts.filter(({ userId }) => !users.some(({ id }) => id === userId))]
}

const effects = ["before", "after"] as const

function faults(...methods: string[]): Fault[] {
  return methods.flatMap((method) => effects.map((effect) => ({ method, effect })))
}

function unverified(op: ReturnType<typeof createProvider>): void {
  op.people.ada = { name: "Ada", email: "ada@example.test", email_verified: false }
}

describe.each(stores)("FAULT-01, FAULT-02: an adapter %s that fails", (kind) => {
  const firstSignIn = faults("getUserByAccount", "getUserByEmail", "createUser", "linkAccount", "createSession")
  const commit = kind === "with transactions" ? [{ method: "transaction", effect: "before" } as const] : []
  test.each([...firstSignIn, ...commit])(
    "$effect $method took effect at a first sign-in leaves no partial data, and a retry succeeds",
    async (fault) => {
      const { store, arm, hit, op, browser, log } = await site(kind)
      unverified(op)
      arm(fault)
      await browser.signInWith(op, { as: "ada" })
      expect(hit()).toBe(true)
      expect(errorAt(browser)).toBe("/auth/error Configuration")
      expect(hasSession(browser)).toBe(false)
      expect(browser.cookies.filter(({ name }) => name.includes("state"))).toEqual([])
      expect(halfCreated(store)).toEqual([])
      expect(log.entries.filter(({ level }) => level === "error")).toHaveLength(1)
      await browser.signInWith(op, { as: "ada" })
      expect(await emailOf(browser)).toBe("ada@example.test")
      expect(store.rows().users).toHaveLength(1)
      expect(store.rows().accounts).toHaveLength(1)
    },
  )

  test.each(faults("getUserByAccount", "updateAccount", "createSession"))(
    "$effect $method took effect at a later sign-in starts no session, and a retry succeeds",
    async (fault) => {
      const { arm, hit, op, browser } = await site(kind)
      await browser.signInWith(op, { as: "ada" })
      const other = browser.fresh()
      arm(fault)
      await other.signInWith(op, { as: "ada" })
      expect(hit()).toBe(true)
      expect(errorAt(other)).toBe("/auth/error Configuration")
      expect(hasSession(other)).toBe(false)
      await other.signInWith(op, { as: "ada" })
      expect(hasSession(other)).toBe(true)
    },
  )

  test.each(faults("getUserByAccount", "linkAccount", "createSession"))(
    "$effect $method took effect while linking keeps the current session, and a retry links",
    async (fault) => {
      const { store, arm, hit, op, mail, browser } = await site(kind)
      await signInByMail(browser, mail, "grace@example.test")
      arm(fault)
      await browser.signInWith(op, { as: "ada" })
      expect(hit()).toBe(true)
      // The second look finds a link that was stored.
      const isStored = kind === "without transactions" && fault.method === "linkAccount" && fault.effect === "after"
      expect(errorAt(browser)).toBe(isStored ? "/ null" : "/auth/error Configuration")
      expect(await emailOf(browser)).toBe("grace@example.test")
      await browser.signInWith(op, { as: "ada" })
      expect(await emailOf(browser)).toBe("grace@example.test")
      const [grace, ...others] = store.rows().users
      expect(others).toEqual([])
      expect(store.rows().accounts.map(({ userId }) => userId)).toEqual([grace?.id])
    },
  )

  test.each([...faults("getUserByEmail", "createVerificationToken")])(
    "$effect $method took effect when a link is requested sends nothing, and a retry sends it",
    async (fault) => {
      const { arm, hit, mail, browser } = await site(kind)
      arm(fault)
      await browser.signIn("email", { email: "ada@example.test" })
      expect(hit()).toBe(true)
      expect(new URL(browser.location).searchParams.has("error")).toBe(true)
      expect(mail.sent).toHaveLength(0)
      await browser.signIn("email", { email: "ada@example.test" })
      expect(mail.sent).toHaveLength(1)
    },
  )

  const redeeming = [
    { method: "useVerificationToken", effect: "before" },
    ...faults("getUserByEmail", "createSession"),
  ] as const
  test.each([...redeeming, { method: "createUser", effect: "before" }] as const)(
    "FAULT-03: $effect $method took effect when a link is opened starts no session, and the same link works again",
    async (fault) => {
      const { store, arm, hit, mail, browser } = await site(kind)
      await browser.signIn("email", { email: "ada@example.test" })
      arm(fault)
      await browser.get(mail.link())
      expect(hit()).toBe(true)
      expect(errorAt(browser)).toBe("/auth/error Configuration")
      expect(hasSession(browser)).toBe(false)
      await browser.get(mail.link())
      await browser.submitForm(0)
      expect(await emailOf(browser)).toBe("ada@example.test")
      expect(store.rows().users).toHaveLength(1)
      expect(store.rows().verificationTokens).toHaveLength(0)
    },
  )

  test.each(faults("updateUser", "createSession"))(
    "FAULT-03: $effect $method took effect when a known user opens a link, and the same link works again",
    async (fault) => {
      const { store, arm, hit, mail, browser } = await site(kind)
      await store.createUser({ id: "u1", email: "ada@example.test", emailVerified: null })
      await browser.signIn("email", { email: "ada@example.test" })
      arm(fault)
      await browser.get(mail.link())
      expect(hit()).toBe(true)
      expect(hasSession(browser)).toBe(false)
      await browser.get(mail.link())
      await browser.submitForm(0)
      expect(await emailOf(browser)).toBe("ada@example.test")
    },
  )

  test("when the replaced session is ended still signs in, and is logged", async () => {
    const { arm, hit, op, browser, log } = await site(kind)
    await browser.signInWith(op, { as: "ada" })
    arm({ method: "deleteSession", effect: "before" })
    await browser.signInWith(op, { as: "ada" })
    expect(hit()).toBe(true)
    expect(await emailOf(browser)).toBe("ada@example.test")
    expect(log.entries.filter(({ level }) => level === "error")).toHaveLength(1)
  })
})

test("if the adapter fails after using up a link, the sign-in fails and a new link works", async () => {
  const { arm, mail, browser } = await site("with transactions")
  await browser.signIn("email", { email: "ada@example.test" })
  arm({ method: "useVerificationToken", effect: "after" })
  await browser.get(mail.link())
  expect(hasSession(browser)).toBe(false)
  await signInByMail(browser, mail, "ada@example.test")
  expect(await emailOf(browser)).toBe("ada@example.test")
})

test("a first sign-in succeeds if the connection is lost after the commit", async () => {
  const { store, arm, hit, op, browser } = await site("with transactions")
  arm({ method: "transaction", effect: "after" })
  await browser.signInWith(op, { as: "ada" })
  expect(hit()).toBe(true)
  expect(await emailOf(browser)).toBe("ada@example.test")
  expect(store.rows().users).toHaveLength(1)
})

test("FAULT-01: a sign-up whose account can't be linked leaves no user", async () => {
  const store = memoryAdapter()
  const op = createProvider()
  const adapter = intercept(withoutTransactions(store), async (method, run) => {
    if (method === "linkAccount") throw new Error("disk full")
    return run()
  })
  const browser = await visit({ providers: [op.provider()], adapter })
  await browser.signInWith(op, { as: "ada" })
  expect(store.rows().users).toEqual([])
})
