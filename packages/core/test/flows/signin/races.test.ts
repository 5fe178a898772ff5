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
