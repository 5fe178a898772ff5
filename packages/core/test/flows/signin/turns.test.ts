import type { Adapter, AdapterAccount, AdapterUser } from "@latchkey/core/adapters"
import { type Browser, createProvider, type FakeProvider, visit } from "@latchkey/testing"
import { expect, onTestFinished, test, vi } from "vitest"
import { errorAt, hasSession } from "./setup.js"

/** An adapter that enforces no uniqueness and is slow to create a user. */
function looseStore(slowly: (user: AdapterUser) => Promise<void>) {
  const users: AdapterUser[] = []
  const accounts: AdapterAccount[] = []
  const adapter: Adapter = {
    createUser: async (user) => {
      await slowly(user)
      users.push(user)
      return user
    },
    linkAccount: (account) => void accounts.push(account),
    getUserByEmail: (email) => users.find((user) => user.email === email) ?? null,
    getUserByAccount: ({ provider, providerAccountId: id }) => {
      const account = accounts.find((each) => each.provider === provider && each.providerAccountId === id)
      return users.find((user) => user.id === account?.userId) ?? null
    },
  }
  return { adapter, users, accounts }
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise(setImmediate)
}

async function answerAt(browser: Browser, op: FakeProvider, as: string): Promise<() => Promise<unknown>> {
  await browser.post(`/auth/signin/${op.id}`, { csrfToken: (await browser.csrf()) ?? "" })
  const answer = await op.authorize(browser.location, { as })
  return () => browser.follow(answer, op.issuer)
}

test("RACE-01: accounts of two providers with one email make one user, even if the adapter allows two", async () => {
  const { adapter, users, accounts } = looseStore(() => turns(50))
  const [one, two] = [createProvider({ id: "one" }), createProvider({ id: "two", issuer: "https://two.test" })]
  const left = await visit({ providers: [one.provider(), two.provider()], adapter, session: { strategy: "jwt" } })
  const right = left.fresh()
  const back = [await answerAt(left, one, "ada"), await answerAt(right, two, "ada")]
  await Promise.all(back.map((come) => come()))
  expect(users).toHaveLength(1)
  expect(accounts).toHaveLength(1)
  const [loser, ...others] = [left, right].filter((browser) => !hasSession(browser))
  expect(others).toEqual([])
  expect(loser && errorAt(loser)).toBe("/auth/signin OAuthAccountNotLinked")
})

test("users without an email don't wait for each other", async () => {
  // If these users waited for each other, this would never end.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] })
  onTestFinished(() => void vi.useRealTimers())
  const begun: unknown[] = []
  let release = () => {}
  const bothBegun = new Promise<void>((resolve) => {
    release = resolve
  })
  const { adapter, users } = looseStore(async ({ name }) => {
    if (begun.push(name) === 2) release()
    await bothBegun
  })
  const people = { first: { sub: "first", name: "First" }, second: { sub: "second", name: "Second" } }
  const op = createProvider({ people })
  const left = await visit({ providers: [op.provider()], adapter, session: { strategy: "jwt" } })
  const right = left.fresh()
  const back = [await answerAt(left, op, "first"), await answerAt(right, op, "second")]
  await Promise.all(back.map((come) => come()))
  expect(new Set(begun)).toEqual(new Set(["First", "Second"]))
  expect(users).toHaveLength(2)
})
