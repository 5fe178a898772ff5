import type { Adapter } from "@latchkey/core/adapters"
import { prisma } from "@latchkey/prisma"
import { describe, expect, inject, test } from "vitest"
import { type Client, overMariadb, overPg, overSqlite } from "./clients.js"

const key = { identifier: "ada@example.com", token: "hash" }
const former = new Date("2030-01-01")
const next = new Date("2031-01-01")
const ada = { id: "", email: "ada@example.com", emailVerified: null }

/** Does something before the first row of this model is deleted. */
function before(client: Client, model: string, work: () => Promise<unknown>): Client {
  const delegate: object = Reflect.get(client, model)
  let isFirst = true
  const slow = new Proxy(delegate, {
    get: (target, name) => {
      const method: unknown = Reflect.get(target, name)
      if (name !== "deleteMany" || typeof method !== "function") return method
      return async (query: unknown): Promise<unknown> => {
        if (isFirst) {
          isFirst = false
          await work()
        }
        return method(query)
      }
    },
  })
  return new Proxy(client, { get: (target, name) => (name === model ? slow : Reflect.get(target, name)) })
}

function gate() {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}

function deletesWhatItReturns(name: string, open: () => Promise<Client>): void {
  describe(`${name} returns what it deletes`, () => {
    let opened: Promise<Client> | undefined
    const client = () => (opened ??= open())
    // The schema has all models.
    const adapter = async (over?: Client) => prisma(over ?? (await client())) as Required<Adapter>

    test("a token that's replaced while it's used is the one that's used up", async () => {
      const there = await adapter()
      await there.createVerificationToken({ ...key, expires: former })
      const replace = async () => {
        expect(await there.useVerificationToken(key)).toEqual({ ...key, expires: former })
        await there.createVerificationToken({ ...key, expires: next })
      }
      const here = await adapter(before(await client(), "verificationToken", replace))
      expect(await here.useVerificationToken(key)).toEqual({ ...key, expires: next })
      expect(await there.useVerificationToken(key)).toBeNull()
    })

    test("an account that's moved to another user while it's unlinked is returned with its new owner", async () => {
      const there = await adapter()
      const { id: userId } = await there.createUser(ada)
      const { id: bob } = await there.createUser({ ...ada, email: "bob@example.com" })
      const account = { type: "oidc", provider: "acme", providerAccountId: "1" } as const
      await there.linkAccount({ ...account, userId })
      const move = async () => {
        await there.unlinkAccount(account)
        await there.linkAccount({ ...account, userId: bob })
      }
      const here = await adapter(before(await client(), "account", move))
      expect(await here.unlinkAccount(account)).toMatchObject({ ...account, userId: bob })
      expect(await there.getAccount("1", "acme")).toBeNull()
    })

    test("of parallel uses of a token, one gets it", async () => {
      const there = await adapter()
      await there.createVerificationToken({ ...key, expires: former })
      const uses = await Promise.all(Array.from({ length: 5 }, async () => there.useVerificationToken(key)))
      expect(uses.filter((use) => use !== null)).toEqual([{ ...key, expires: former }])
    })
  })
}

deletesWhatItReturns("SQLite", () => overSqlite("latchkey"))
describe.skipIf(inject("postgres") === undefined)("on a server", () => {
  deletesWhatItReturns("PostgreSQL", () => overPg("prisma_takes", "latchkey"))

  test("PostgreSQL: a token whose date has microseconds is used up once", async () => {
    const client = await overPg("prisma_microseconds", "latchkey")
    await client.$executeRawUnsafe(`alter table "VerificationToken" alter expires type timestamp(6)`)
    await client.$executeRawUnsafe(
      `insert into "VerificationToken" values ('${key.identifier}', '${key.token}', '2030-01-01 00:00:00.123456')`,
    )
    const adapter = prisma(client)
    const uses = await Promise.all([adapter.useVerificationToken?.(key), adapter.useVerificationToken?.(key)])
    expect(uses.filter((use) => use !== null)).toEqual([{ ...key, expires: new Date("2030-01-01T00:00:00.123Z") }])
  })
})

describe.skipIf(inject("mariadb") === undefined)("on a server", () => {
  deletesWhatItReturns("MariaDB", () => overMariadb("prisma_takes", "latchkey"))

  test("MariaDB: a transaction in which a deadlock is caught stores nothing, also of what follows", async () => {
    const client = await overMariadb("prisma_deadlock", "latchkey")
    const adapter = prisma(client)
    const { id: first } = await adapter.createUser({ ...ada, email: "1@x.test" })
    const { id: second } = await adapter.createUser({ ...ada, email: "2@x.test" })
    const [locked, waiting] = [gate(), gate()]
    const other = adapter.transaction?.(async (inside) => {
      // The database ends the transaction that changed fewer rows.
      for (let row = 0; row < 20; row += 1) await inside.createUser?.({ ...ada, email: `x${row}@x.test` })
      await inside.updateUser?.({ id: second, name: "other" })
      locked.open()
      await waiting.opened
      await inside.updateUser?.({ id: first, name: "other" })
    })
    const crossing = adapter.transaction?.(async (inside) => {
      await inside.updateUser?.({ id: first, name: "changed" })
      await locked.opened
      const update = Promise.resolve(inside.updateUser?.({ id: second, name: "changed" })).catch(() => null)
      waiting.open()
      await update
      await Promise.resolve(inside.createUser?.({ ...ada, email: "late@x.test" })).catch(() => null)
    })
    await expect(crossing).rejects.toThrow("The transaction was rolled back, because a query in it failed.")
    await other
    expect(await adapter.getUserByEmail("late@x.test")).toBeNull()
    expect((await adapter.getUser(first))?.name).toBe("other")
  })
})
