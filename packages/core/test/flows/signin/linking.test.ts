import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit"
import type { AuthConfig, OIDCConfig } from "@latchkey/core/types"
import { createProvider, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import {
  emailOf,
  errorAt,
  type Events,
  hasSession,
  intercept,
  mailbox,
  type Message,
  signInByMail,
  strategies,
  type Strategy,
} from "./setup.js"

async function site(strategy: Strategy, overrides: Partial<OIDCConfig> = {}, more: Partial<AuthConfig> = {}) {
  const store: MemoryAdapter = memoryAdapter()
  const calls: string[] = []
  const told: string[] = []
  const signIns: Message<"signIn">[] = []
  const op = createProvider({ people: { "no-email": { sub: "no-mail", name: "No Mail" } } })
  const mail = mailbox()
  const events: Events = {
    createUser: () => void told.push("createUser"),
    linkAccount: () => void told.push("linkAccount"),
    updateUser: () => void told.push("updateUser"),
    signIn: (message) => void signIns.push(message),
  }
  const adapter = intercept(store, (method, run) => (calls.push(method), run()))
  const providers = [op.provider(overrides), mail.provider]
  const browser = await visit({ providers, adapter, session: { strategy }, events, ...more })
  const forget = () => {
    calls.length = told.length = signIns.length = 0
  }
  return { store, op, mail, browser, calls, told, forget, isNew: () => signIns.map(({ isNewUser }) => isNewUser) }
}

function idOf(store: MemoryAdapter, email: string): string | undefined {
  return store.rows().users.find((user) => user.email === email)?.id
}

function ownerOf(store: MemoryAdapter, sub: string): string | undefined {
  return store.rows().accounts.find(({ providerAccountId }) => providerAccountId === sub)?.userId
}

describe.each(strategies)("a provider account, strategy %s", (strategy) => {
  test("known, not signed in: its user gets a session and isn't new", async () => {
    const { op, browser, store, told, forget, isNew } = await site(strategy)
    await browser.signInWith(op, { as: "ada" })
    forget()
    const other = browser.fresh()
    await other.signInWith(op, { as: "ada" })
    expect(await emailOf(other)).toBe("ada@example.test")
    expect(isNew()).toEqual([false])
    expect(told).toEqual([])
    expect(store.rows().users).toHaveLength(1)
    expect(store.rows().accounts).toHaveLength(1)
  })

  test("known, its user signed in: the user gets a new session, and the old one ends", async () => {
    const { op, browser, store, isNew, forget } = await site(strategy)
    await browser.signInWith(op, { as: "ada" })
    const before = browser.cookies.find(({ name }) => name.includes("session-token"))?.value
    forget()
    await browser.signInWith(op, { as: "ada" })
    expect(await emailOf(browser)).toBe("ada@example.test")
    expect(isNew()).toEqual([false])
    expect(browser.cookies.find(({ name }) => name.includes("session-token"))?.value).not.toBe(before)
    expect(store.rows().sessions).toHaveLength(strategy === "database" ? 1 : 0)
  })

  test("known, another user signed in: refused, and that user stays signed in", async () => {
    const { op, browser, store, mail } = await site(strategy)
    await browser.fresh().signInWith(op, { as: "grace" })
    await signInByMail(browser, mail, "ada@example.test")
    await browser.signInWith(op, { as: "grace" })
    expect(errorAt(browser)).toBe("/auth/signin OAuthAccountNotLinked")
    expect(await emailOf(browser)).toBe("ada@example.test")
    expect(ownerOf(store, "grace")).toBe(idOf(store, "grace@example.test"))
  })

  test("unknown, a user signed in: linked to that user, whatever its email", async () => {
    const { op, browser, store, mail, told, calls, forget, isNew } = await site(strategy)
    await signInByMail(browser, mail, "ada@example.test")
    forget()
    await browser.signInWith(op, { as: "grace" })
    expect(ownerOf(store, "grace")).toBe(idOf(store, "ada@example.test"))
    expect(await emailOf(browser)).toBe("ada@example.test")
    expect(told).toEqual(["linkAccount"])
    expect(isNew()).toEqual([false])
    expect(calls).not.toContain("getUserByEmail")
    expect(store.rows().users).toHaveLength(1)
  })

  test("unknown, not signed in, email of another user: refused", async () => {
    const { op, browser, store, mail } = await site(strategy)
    await signInByMail(browser, mail, "grace@example.test")
    const other = browser.fresh()
    await other.signInWith(op, { as: "grace" })
    expect(errorAt(other)).toBe("/auth/signin OAuthAccountNotLinked")
    expect(hasSession(other)).toBe(false)
    expect(store.rows().accounts).toHaveLength(0)
  })

  test("unknown, not signed in, email of another user, linking allowed: linked, without createUser", async () => {
    const { op, browser, store, mail, told, forget, isNew } = await site(strategy, {
      allowDangerousEmailAccountLinking: true,
    })
    await signInByMail(browser, mail, "grace@example.test")
    forget()
    const other = browser.fresh()
    await other.signInWith(op, { as: "grace" })
    expect(await emailOf(other)).toBe("grace@example.test")
    expect(ownerOf(store, "grace")).toBe(idOf(store, "grace@example.test"))
    expect(told).toEqual(["linkAccount"])
    expect(isNew()).toEqual([false])
  })

  test("unknown, not signed in, new email: created, linked and new", async () => {
    const { op, browser, store, told, isNew } = await site(strategy)
    await browser.signInWith(op, { as: "ada" })
    expect(told).toEqual(["createUser", "linkAccount"])
    expect(isNew()).toEqual([true])
    expect(store.rows().users).toMatchObject([{ name: "Ada Lovelace", email: "ada@example.test" }])
    expect(store.rows().accounts).toMatchObject([{ provider: "op", type: "oidc", providerAccountId: "ada" }])
  })

  test("unknown, not signed in, no email: created", async () => {
    const { op, browser, store, calls, isNew } = await site(strategy)
    await browser.signInWith(op, { as: "no-email" })
    expect(calls).not.toContain("getUserByEmail")
    expect(store.rows().users).toMatchObject([{ name: "No Mail" }])
    expect(isNew()).toEqual([true])
  })

  test("a session whose user was deleted doesn't count", async () => {
    const { op, browser, store, mail } = await site(strategy)
    await signInByMail(browser, mail, "ada@example.test")
    await store.deleteUser(idOf(store, "ada@example.test") ?? "")
    await browser.signInWith(op, { as: "grace" })
    expect(await emailOf(browser)).toBe("grace@example.test")
  })
})

describe("when an email is trusted", () => {
  const dangerous = { allowDangerousEmailAccountLinking: true } as const
  const verified = { allowEmailAccountLinking: "verified" } as const
  test.each([
    ["dangerous, the provider says that it isn't verified", dangerous, false, new Date(0), false],
    ["dangerous, the provider says nothing", dangerous, undefined, new Date(0), true],
    ["dangerous, stored address unverified", dangerous, true, null, true],
    ["verified, both sides verified", verified, true, new Date(0), true],
    ["verified, stored address unverified", verified, true, null, false],
    ["verified, the provider says nothing", verified, undefined, new Date(0), false],
    ["verified, the provider says that it isn't verified", verified, false, new Date(0), false],
    ["no option at all", {}, true, new Date(0), false],
  ])("%s", async (_title, overrides, claim, emailVerified, linked) => {
    const { op, browser, store } = await site("jwt", overrides)
    const { email_verified: _, ...ada } = op.people.ada
    op.people.ada = claim === undefined ? ada : { ...ada, email_verified: claim }
    await store.createUser({ id: "u1", email: "ada@example.test", emailVerified })
    await browser.signInWith(op, { as: "ada" })
    expect(store.rows().accounts).toHaveLength(linked ? 1 : 0)
    expect(hasSession(browser)).toBe(linked)
  })

  test("LINK-03: emails are compared in their normalized form", async () => {
    const { op, browser, store } = await site("jwt", dangerous)
    op.people.ada.email = "ADA@Example.TEST"
    await store.createUser({ id: "u1", email: "ada@example.test", emailVerified: null })
    await browser.signInWith(op, { as: "ada" })
    expect(ownerOf(store, "ada")).toBe("u1")
  })
})
