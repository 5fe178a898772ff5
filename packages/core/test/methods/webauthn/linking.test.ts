import type { MemoryAdapter } from "@latchkey/adapter-kit/memory"
import type { AuthConfig } from "@latchkey/core/types"
import { type Browser, createAuthenticator, createProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { emailOf, errorAt, hasSession, strategies, type Strategy } from "../../flows/signin/setup.js"
import { mailer } from "../../modes/setup.js"
import { ada, answer, grace, issue, send, signUp, site } from "./setup.js"

/** A site with an OpenID provider as a second way to sign in. */
async function linkable(strategy: Strategy, more: Partial<AuthConfig> = {}) {
  const told: string[] = []
  const first = await site()
  const op = createProvider({ clock: first.clock })
  const its = await site({
    store: first.store,
    clock: first.clock,
    config: {
      session: { strategy },
      providers: [first.provider, op.provider()],
      events: {
        createUser: () => void told.push("createUser"),
        linkAccount: () => void told.push("linkAccount"),
        signIn: ({ isNewUser }) => void told.push(`signIn ${isNewUser}`),
      },
      ...more,
    },
  })
  return { ...its, op, told }
}

function idOf(store: MemoryAdapter, email: string): string | undefined {
  return store.rows().users.find((user) => user.email === email)?.id
}

function token(browser: { readonly cookies: readonly { readonly name: string; readonly value: string }[] }) {
  return browser.cookies.find(({ name }) => name.includes("session-token"))?.value
}

describe.each(strategies)("a passkey, strategy %s", (strategy) => {
  test("known, its user signed in: that user stays signed in with a new session, and isn't new", async () => {
    const { browser, authenticator, store, told, ...its } = await linkable(strategy)
    await signUp({ browser, authenticator, ...its })
    told.length = 0
    const before = token(browser)
    await browser.signInWithPasskey(authenticator)
    expect(await emailOf(browser)).toBe(ada)
    expect(token(browser)).not.toBe(before)
    expect(told).toEqual(["signIn false"])
    expect(store.rows().sessions).toHaveLength(strategy === "database" ? 1 : 0)
  })

  test("known, another user signed in: refused, and that user stays signed in", async () => {
    const { browser, authenticator, store, op, told, ...its } = await linkable(strategy)
    await signUp({ browser: browser.fresh(), authenticator, ...its })
    await browser.signInWith(op, { as: "grace" })
    told.length = 0
    await browser.signInWithPasskey(authenticator)
    expect(errorAt(browser)).toBe("/auth/signin AccountNotLinked")
    expect(await emailOf(browser)).toBe(grace)
    expect(told).toEqual([])
    expect(store.rows().authenticators.map(({ userId }) => userId)).toEqual([idOf(store, ada)])
  })

  test("known, not signed in: its user gets a session", async () => {
    const { browser, authenticator, told, ...its } = await linkable(strategy)
    await signUp({ browser, authenticator, ...its })
    told.length = 0
    const other = browser.fresh()
    await other.signInWithPasskey(authenticator)
    expect(await emailOf(other)).toBe(ada)
    expect(told).toEqual(["signIn false"])
  })

  test("unknown, a user signed in: linked to that user", async () => {
    const { browser, authenticator, store, op, told } = await linkable(strategy)
    await browser.signInWith(op, { as: "ada" })
    told.length = 0
    await browser.registerPasskey(authenticator)
    expect(await emailOf(browser)).toBe(ada)
    expect(told).toEqual(["linkAccount", "signIn false"])
    expect(store.rows().users).toHaveLength(1)
    expect(store.rows().accounts.map(({ provider, userId }) => [provider, userId])).toEqual([
      ["op", idOf(store, ada)],
      ["passkey", idOf(store, ada)],
    ])
    expect(store.rows().sessions).toHaveLength(strategy === "database" ? 1 : 0)
  })

  test("unknown, not signed in, the email is another user's: refused", async () => {
    const { browser, authenticator, store, op, told } = await linkable(strategy)
    await browser.fresh().signInWith(op, { as: "ada" })
    told.length = 0
    await browser.registerPasskey(authenticator, { fields: { email: ada } })
    expect(errorAt(browser)).toBe("/auth/signin AccountNotLinked")
    expect(hasSession(browser)).toBe(false)
    expect(told).toEqual([])
    expect(store.rows().authenticators).toEqual([])
    expect(store.rows().accounts).toHaveLength(1)
  })

  test("unknown, not signed in, a new email: creates the user", async () => {
    const { browser, authenticator, store, told, ...its } = await linkable(strategy)
    await signUp({ browser, authenticator, ...its })
    expect(await emailOf(browser)).toBe(ada)
    expect(told).toEqual(["createUser", "linkAccount", "signIn true"])
    expect(store.rows()).toMatchObject({ users: { length: 1 }, accounts: { length: 1 }, authenticators: { length: 1 } })
  })

  test("registered by two visitors with the same new email: one of them gets the user", async () => {
    const { browser, store } = await linkable(strategy)
    const visitors = await Promise.all(
      [createAuthenticator(), createAuthenticator()].map(async (authenticator) => {
        const visitor = browser.fresh()
        const issued = await issue(visitor, { action: "register", email: ada })
        return [visitor, await answer(authenticator, issued)] as const
      }),
    )
    await Promise.all(visitors.map(([visitor, response]) => send(visitor, "register", response)))
    expect(visitors.filter(([visitor]) => hasSession(visitor))).toHaveLength(1)
    expect(store.rows()).toMatchObject({ users: { length: 1 }, accounts: { length: 1 }, authenticators: { length: 1 } })
  })
})

test("a user who signed up with a passkey can add an account of a provider while signed in", async () => {
  const { browser, authenticator, store, op, ...its } = await linkable("database")
  await signUp({ browser, authenticator, ...its })
  await browser.signInWith(op, { as: "grace" })
  expect(await emailOf(browser)).toBe(ada)
  expect(store.rows().accounts.map(({ provider }) => provider)).toEqual(["passkey", "op"])
})

describe("a passkey of a stranger who signed up with the email of its owner", () => {
  async function afterOwner(security: AuthConfig["security"]): Promise<Browser> {
    const { provider: mail, links } = mailer()
    const { provider } = await site()
    const { browser: stranger, ...its } = await site({ config: { security, providers: [provider, mail] } })
    await signUp({ browser: stranger, ...its })
    const owner = stranger.fresh()
    await owner.signIn("mail", { email: ada })
    await owner.get(links[0] ?? "")
    expect(await emailOf(owner)).toBe(ada)
    const later = stranger.fresh()
    await later.signInWithPasskey(its.authenticator)
    return later
  }

  test("still works after the owner signs in by email", async () => {
    expect(await emailOf(await afterOwner("compatible"))).toBe(ada)
  })

  test("is refused after that with `reclaimMailbox`", async () => {
    expect(hasSession(await afterOwner({ reclaimMailbox: true }))).toBe(false)
  })
})
