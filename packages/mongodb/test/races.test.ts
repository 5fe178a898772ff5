import { mongodb } from "@latchkey/mongodb"
import { expect, test } from "vitest"
import { open } from "./clients.js"
import { startStandIn } from "./server/start.js"

const expires = new Date(1_900_000_000_123)

/** Adapters of several processes over one server. */
async function processes(count: number) {
  const { url } = await startStandIn()
  return Array.from({ length: count }, () => mongodb(open(url)))
}

function winners(outcomes: readonly PromiseSettledResult<unknown>[]): number {
  const reasons = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []))
  for (const reason of reasons) expect(reason).toMatchObject({ code: "LATCHKEY_UNIQUE" })
  return outcomes.filter((outcome) => outcome.status === "fulfilled" && outcome.value !== null).length
}

test("of 20 uses of one token in 20 processes one succeeds", async () => {
  const adapters = await processes(20)
  const token = { identifier: "ada@example.com", token: "t", expires }
  await adapters[0]?.createVerificationToken(token)
  expect(winners(await Promise.allSettled(adapters.map(async (adapter) => adapter.useVerificationToken(token))))).toBe(
    1,
  )
})

test("of 20 sign-ups with one email in 20 processes one succeeds", async () => {
  const adapters = await processes(20)
  const user = { id: "u", email: "ada@example.com", emailVerified: null }
  expect(winners(await Promise.allSettled(adapters.map(async (adapter) => adapter.createUser(user))))).toBe(1)
})

test("of 20 links of one account by 20 users one succeeds", async () => {
  const adapters = await processes(20)
  const account = { type: "oauth", provider: "acme", providerAccountId: "1" } as const
  const ids: string[] = []
  for (const [index, adapter] of adapters.entries()) {
    const user = await adapter.createUser({ id: "u", email: `${index}@example.com`, emailVerified: null })
    ids.push(user.id)
  }
  const outcomes = await Promise.allSettled(
    adapters.map(async (adapter, index) => adapter.linkAccount({ ...account, userId: ids[index] ?? "" })),
  )
  expect(winners(outcomes)).toBe(1)
})
