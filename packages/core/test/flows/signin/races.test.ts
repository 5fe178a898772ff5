import { setImmediate } from "node:timers/promises"
import { memoryAdapter } from "@latchkey/adapter-kit"
import type { Adapter } from "@latchkey/core/adapters"
import { type Browser, createProvider, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { errorAt, hasSession, mailbox, withoutTransactions } from "./setup.js"

const stores = ["with transactions", "without transactions"] as const

function storeOf(kind: (typeof stores)[number]) {
  const store = memoryAdapter()
  const adapter: Adapter = kind === "with transactions" ? store : withoutTransactions(store)
  return { store, adapter }
}

/** Starts all sign-ins, then finishes them at the same time. */
async function together(ways: readonly (readonly [Browser, ReturnType<typeof createProvider>, string])[]) {
  const answers = []
  for (const [browser, op, as] of ways) {
    const csrfToken = (await browser.csrf()) ?? ""
    await browser.post(`/auth/signin/${op.id}`, { csrfToken })
    answers.push([browser, await op.authorize(browser.location, { as }), op.issuer] as const)
  }
  await Promise.all(answers.map(([browser, answer, from]) => browser.follow(answer, from)))
}

describe.each(stores)("RACE-01: parallel first sign-ins, adapter %s", (kind) => {
  test("with one account from eight browsers make one user with one account, and none fails", async () => {
    const { store, adapter } = storeOf(kind)
    const op = createProvider()
    const first = await visit({ providers: [op.provider()], adapter })
    const browsers = [first, ...Array.from({ length: 7 }, () => first.fresh())]
    await together(browsers.map((browser) => [browser, op, "ada"] as const))
    expect(store.rows().users).toHaveLength(1)
    expect(store.rows().accounts).toHaveLength(1)
    const refused = browsers.filter((browser) => !hasSession(browser)).map(errorAt)
    expect(refused.filter((error) => !error.endsWith("OAuthAccountNotLinked"))).toEqual([])
    expect(refused.length).toBeLessThan(browsers.length)
  })

  test("with one account without an email make one user, and all are signed in", async () => {
    const { store, adapter } = storeOf(kind)
    const op = createProvider({ people: { "no-email": { sub: "no-mail", name: "No Mail" } } })
    const first = await visit({ providers: [op.provider()], adapter })
    const browsers = [first, ...Array.from({ length: 7 }, () => first.fresh())]
    await together(browsers.map((browser) => [browser, op, "no-email"] as const))
    expect(browsers.filter((browser) => !hasSession(browser)).map(errorAt)).toEqual([])
    expect(store.rows().users).toHaveLength(1)
    expect(store.rows().accounts).toHaveLength(1)
  })

  test("with two providers for one email make one user, and the other is refused", async () => {
    const { store, adapter } = storeOf(kind)
    const [one, two] = [createProvider({ id: "one" }), createProvider({ id: "two", issuer: "https://two.test" })]
    const left = await visit({ providers: [one.provider(), two.provider()], adapter })
    const right = left.fresh()
    await together([
      [left, one, "ada"],
      [right, two, "ada"],
    ])
    expect(store.rows().users).toHaveLength(1)
    expect(store.rows().accounts).toHaveLength(1)
    const [loser, ...others] = [left, right].filter((browser) => !hasSession(browser))
    expect(others).toEqual([])
    expect(loser && errorAt(loser)).toBe("/auth/signin OAuthAccountNotLinked")
  })

  test("with two providers that may link by email make one user with two accounts", async () => {
    const { store, adapter } = storeOf(kind)
    const linking = { allowDangerousEmailAccountLinking: true } as const
    const [one, two] = [createProvider({ id: "one" }), createProvider({ id: "two", issuer: "https://two.test" })]
    const left = await visit({ providers: [one.provider(linking), two.provider(linking)], adapter })
    const right = left.fresh()
    await together([
      [left, one, "ada"],
      [right, two, "ada"],
    ])
    expect([left, right].map(hasSession)).toEqual([true, true])
    expect(store.rows().users).toHaveLength(1)
    expect(store.rows().accounts).toHaveLength(2)
  })

  test("with two links for one new email make one user, and both are signed in", async () => {
    const { store, adapter } = storeOf(kind)
    const mail = mailbox()
    const left = await visit({ providers: [mail.provider], adapter })
    const right = left.fresh()
    await left.signIn("email", { email: "ada@example.test" })
    await right.signIn("email", { email: "ada@example.test" })
    await Promise.all([left.get(mail.link(0)), right.get(mail.link(1))])
    expect([left, right].map(hasSession)).toEqual([true, true])
    expect(store.rows().users).toHaveLength(1)
  })
})

/** Several users can have one account, as in a database without a unique index. */
function withoutUniqueAccounts() {
  const store = memoryAdapter()
  const linked: Parameters<typeof store.linkAccount>[0][] = []
  const getUserByAccount: Adapter["getUserByAccount"] = async ({ provider, providerAccountId }) => {
    const account = linked.find((row) => row.provider === provider && row.providerAccountId === providerAccountId)
    return account ? store.getUser(account.userId) : null
  }
  const linkAccount: Adapter["linkAccount"] = async (account) => {
    // The other requests look for the account meanwhile.
    for (let turn = 0; turn < 50; turn += 1) await setImmediate()
    linked.push(account)
  }
  const { getAccount: _, ...adapter } = withoutTransactions(store)
  return { store, linked, adapter: { ...adapter, getUserByAccount, linkAccount } }
}

test("parallel first sign-ins with one account whose email changes meanwhile make one user", async () => {
  const { store, linked, adapter } = withoutUniqueAccounts()
  const names = ["a", "b", "c", "d", "e", "f", "g", "h"]
  const people = Object.fromEntries(names.map((name) => [name, { sub: "one", email: `${name}@example.test` }]))
  const op = createProvider({ people })
  const first = await visit({ providers: [op.provider()], adapter })
  await together(names.map((name, index) => [index === 0 ? first : first.fresh(), op, name] as const))
  expect([store.rows().users.length, linked.length]).toEqual([1, 1])
})

test("parallel sign-outs succeed although the adapter fails to delete a session that's gone", async () => {
  const store = memoryAdapter()
  const deleteSession: Adapter["deleteSession"] = async (token) => {
    if ((await store.deleteSession(token)) === null) throw new Error("No record was found for a delete")
  }
  const op = createProvider()
  const adapter = { ...store, deleteSession }
  const browser = await visit({ providers: [op.provider()], session: { strategy: "database" }, adapter })
  await browser.signInWith(op, { as: "ada" })
  const tabs = Array.from({ length: 5 }, () => browser.clone())
  for (const tab of tabs) await tab.get("/auth/signout")
  await Promise.all(tabs.map((tab) => tab.submitForm("signout")))
  expect(tabs.map(({ location }) => location)).toEqual(tabs.map(() => "https://app.test/"))
  expect(store.rows().sessions).toEqual([])
})
