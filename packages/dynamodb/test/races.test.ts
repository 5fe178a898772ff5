import type { DynamoDBDocument } from "@aws-sdk/lib-dynamodb"
import { dynamodb } from "@latchkey/dynamodb"
import { beforeAll, expect, test } from "vitest"
import { defaultNames, type Running, startTable } from "./tables.js"

const TableName = defaultNames.tableName

let running: Running
beforeAll(async () => {
  running = await startTable()
})

/** Adapters of several processes. */
function processes(count: number) {
  return Array.from({ length: count }, () => dynamodb(running.open()))
}

function winners(outcomes: readonly PromiseSettledResult<unknown>[]): number {
  const reasons = outcomes.flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []))
  for (const reason of reasons) expect(reason).toMatchObject({ code: "LATCHKEY_UNIQUE" })
  return outcomes.length - reasons.length
}

/** Runs `meanwhile` once, before the client's n-th request of this kind. */
function interrupted(
  kind: "put" | "update" | "delete",
  nth: number,
  meanwhile: () => Promise<unknown>,
): DynamoDBDocument {
  const client = running.open()
  let count = 0
  return new Proxy(client, {
    get(target, name) {
      const method: unknown = Reflect.get(target, name)
      if (typeof method !== "function") return method
      return async (...input: unknown[]) => {
        if (name === kind && ++count === nth) await meanwhile()
        return Reflect.apply(method, target, input) as unknown
      }
    },
  })
}

function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

test("of 20 sign-ups with one email in 20 processes one succeeds, and the others leave nothing", async () => {
  const adapters = processes(20)
  const email = "race@example.com"
  const outcomes = await Promise.allSettled(
    adapters.map(async (adapter, index) => adapter.createUser({ id: `race${index}`, email, emailVerified: null })),
  )
  expect(winners(outcomes)).toBe(1)
  const { Items = [] } = await running.open().scan({ TableName })
  const users = Items.filter((item) => item["email"] === email)
  expect(users).toEqual([expect.objectContaining({ id: (await adapters[0]?.getUserByEmail(email))?.id })])
})

test("of 20 users who change to one email one succeeds", async () => {
  const adapters = processes(20)
  const ids = adapters.map((_, index) => `move${index}`)
  const email = "moved@example.com"
  for (const id of ids) await adapters[0]?.createUser({ id, email: `${id}@example.com`, emailVerified: null })
  const outcomes = await Promise.allSettled(
    adapters.map(async (adapter, index) => adapter.updateUser({ id: `move${index}`, email })),
  )
  expect(winners(outcomes)).toBeLessThanOrEqual(1)
  const users = await Promise.all(ids.map(async (id) => adapters[0]?.getUser(id)))
  const owners = users.filter((user) => user?.email === email)
  expect(owners).toHaveLength(winners(outcomes))
})

test.each([1, 2, 3])("an email that another user takes before step %i of a sign-up stays theirs", async (step) => {
  const [other] = processes(1)
  const email = `step${step}@example.com`
  const kind = step === 3 ? "update" : "put"
  const nth = step === 3 ? 1 : step
  const takes = () => other?.createUser({ id: `other${step}`, email, emailVerified: null }) ?? Promise.resolve()
  const slow = dynamodb(interrupted(kind, nth, () => Promise.resolve(takes()).catch(() => undefined)))
  const outcome = await Promise.allSettled([slow.createUser({ id: `slow${step}`, email, emailVerified: null })])
  const owner = step === 3 ? `slow${step}` : `other${step}`
  expect(winners(outcome)).toBe(step === 3 ? 1 : 0)
  expect(await other?.getUserByEmail(email)).toMatchObject({ id: owner })
  const users = await Promise.all([`slow${step}`, `other${step}`].map(async (id) => other?.getUser(id)))
  expect(users.filter((user) => user?.email === email)).toHaveLength(1)
})

test.each([1, 2, 3])(
  "an email that a new user takes before update %i of a change belongs to one user",
  async (step) => {
    const [other] = processes(1)
    const email = `change${step}@example.com`
    await other?.createUser({ id: `mover${step}`, email: `before${step}@example.com`, emailVerified: null })
    const takes = async () => {
      await Promise.allSettled([other?.createUser({ id: `taker${step}`, email, emailVerified: null })])
    }
    const kind = step === 2 ? "put" : "update"
    const slow = dynamodb(interrupted(kind, step === 3 ? 2 : 1, takes))
    await Promise.allSettled([slow.updateUser({ id: `mover${step}`, email })])
    const users = await Promise.all([`mover${step}`, `taker${step}`].map(async (id) => other?.getUser(id)))
    const owners = users.filter((user) => user?.email === email)
    expect(owners).toHaveLength(1)
    expect(await other?.getUserByEmail(email)).toMatchObject({ id: owners[0]?.id })
  },
)

test("of 20 links of one account by 20 users one succeeds", async () => {
  const adapters = processes(20)
  const account = { type: "oauth", provider: "acme", providerAccountId: "race" } as const
  for (const [index, adapter] of adapters.entries()) {
    await adapter.createUser({ id: `link${index}`, email: `link${index}@example.com`, emailVerified: null })
  }
  const outcomes = await Promise.allSettled(
    adapters.map(async (adapter, index) => adapter.linkAccount({ ...account, userId: `link${index}` })),
  )
  expect(winners(outcomes)).toBe(1)
  const lists = await Promise.all(adapters.map(async (adapter, index) => adapter.listAccounts(`link${index}`)))
  const linked = lists.flat()
  expect(linked).toHaveLength(1)
  expect(await adapters[0]?.getUserByAccount(account)).toMatchObject({ id: linked[0]?.userId })
})

test("an account that is unlinked and linked again by its user isn't lost to another user", async () => {
  const [adapter] = processes(1)
  const account = { type: "oauth", provider: "acme", providerAccountId: "relink", userId: "relink1" } as const
  for (const id of ["relink1", "relink2"]) {
    await adapter?.createUser({ id, email: `${id}@example.com`, emailVerified: null })
  }
  await adapter?.linkAccount(account)
  // The row is gone, but its pointer isn't yet.
  const key = { pk: "USER#relink1", sk: "ACCOUNT#acme#relink" }
  await running.open().delete({ TableName, Key: key })
  const other = dynamodb(interrupted("put", 3, () => Promise.resolve(adapter?.linkAccount(account))))
  const outcome = await Promise.allSettled([other.linkAccount({ ...account, userId: "relink2" })])
  expect(winners(outcome)).toBe(0)
  expect(await adapter?.getUserByAccount(account)).toMatchObject({ id: "relink1" })
  expect(await adapter?.listAccounts("relink2")).toEqual([])
})

test("a user who gets the email while a sign-up withdraws the announcement keeps it", async () => {
  const [other] = processes(1)
  const email = "both@example.com"
  await other?.createUser({ id: "announcer", email: "announcer@example.com", emailVerified: null })
  const [announced, stored] = [gate(), gate()]
  const withdraws = async () => {
    announced.open()
    await stored.opened
  }
  const taker = dynamodb(interrupted("update", 1, withdraws))
  const takes: Promise<unknown>[] = []
  const before = async () => {
    takes.push(Promise.resolve(taker.createUser({ id: "withdrawer", email, emailVerified: null })))
    await announced.opened
  }
  const announcer = dynamodb(interrupted("update", 2, before))
  expect(await announcer.updateUser({ id: "announcer", email })).toMatchObject({ email })
  stored.open()
  expect(winners(await Promise.allSettled(takes))).toBe(0)
  expect(await other?.getUserByEmail(email)).toMatchObject({ id: "announcer" })
  expect(await other?.getUser("withdrawer")).toBeNull()
})
