import { PrismaPg } from "@prisma/adapter-pg"
import { prisma } from "@latchkey/prisma"
import pg from "pg"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { type Client, generated, overMariadb, overPg, overSqlite } from "./clients.js"
import { failureOf, textsOf } from "./errors.js"

const secret = "very-secret"
const session = { sessionToken: secret, userId: "1", expires: new Date(1_900_000_000_123) }
const ada = { id: "1", email: "ada@example.com", emailVerified: null }

function explains(name: string, open: () => Promise<Client>): void {
  test(`${name}: the error for a missing table says what to do, and contains no token`, async () => {
    const adapter = prisma(await open())
    for (const call of [() => adapter.getSessionAndUser?.(secret), () => adapter.createSession?.(session)]) {
      const error = await failureOf(call)
      expect(Object(error).message).toBe("A table is missing. Run `prisma migrate deploy`.")
      expect(textsOf(error)).not.toContain(secret)
      expect(Object(error).cause).toMatchObject({ code: "P2021" })
    }
  })
}

explains("SQLite", () => overSqlite("latchkey", { tables: [] }))

test("the error for a query that doesn't match the schema contains no token", async () => {
  const adapter = prisma(await overSqlite("latchkey"))
  const error = await failureOf(() => adapter.createSession?.({ ...session, expires: JSON.parse("5") }))
  expect(Object(error).message).toMatch(/^Prisma failed: .*`expires`/)
  expect(textsOf(error)).not.toContain(secret)
})

describe.skipIf(inject("postgres") === undefined)("on a PostgreSQL server", () => {
  explains("PostgreSQL", () => overPg("prisma_missing", "latchkey", { tables: [] }))

  test("a connection that the server closed is replaced, and the error contains no token", async () => {
    const adapter = prisma(await overPg("prisma_ended", "latchkey"))
    const { id: userId } = await adapter.createUser(ada)
    await adapter.createSession?.({ ...session, userId })
    const url = new URL(inject("postgres") ?? "")
    const other = new pg.Client({ connectionString: url.href })
    url.pathname = "/prisma_ended"
    const blocker = new pg.Client({ connectionString: url.href })
    for (const client of [other, blocker]) {
      await client.connect()
      onTestFinished(() => client.end())
    }
    await blocker.query(`begin; lock table "Session" in access exclusive mode`)
    const failing = failureOf(() => adapter.getSessionAndUser?.(secret))
    const waiting = "select pid from pg_stat_activity where datname = 'prisma_ended' and wait_event_type = 'Lock'"
    await expect.poll(async () => (await other.query(waiting)).rowCount).toBe(1)
    await other.query(`select pg_terminate_backend(pid) from (${waiting}) as waiting`)
    expect(Object(await failing).message).toMatch(/^Prisma failed: /)
    expect(textsOf(await failing)).not.toContain(secret)
    await blocker.query("rollback")
    expect((await adapter.getSessionAndUser?.(secret))?.user.id).toBe(userId)
  })

  test("the error for an unreachable server contains no password", async () => {
    const PrismaClient = await generated("postgresql", "latchkey")
    const adapter = new PrismaPg({ connectionString: "postgres://app:secret-password@127.0.0.1:1/app" })
    const client = new PrismaClient({ adapter })
    onTestFinished(() => client.$disconnect())
    const error = await failureOf(() => prisma(client).getUser("1"))
    expect(Object(error).message).toBe("Prisma failed: Can't reach database server at 127.0.0.1:1")
    expect(textsOf(error)).not.toContain("secret-password")
  })

  test("a transaction that catches the error of a query rejects", async () => {
    const adapter = prisma(await overPg("prisma_swallowed", "latchkey"))
    await adapter.createUser(ada)
    const work = adapter.transaction?.(async (inside) => {
      await inside.createUser?.({ ...ada, email: "2@x.test" })
      await Promise.resolve(inside.createUser?.(ada)).catch(() => null)
    })
    await expect(work).rejects.toThrow("The transaction was rolled back, because a query in it failed.")
    expect(await adapter.getUserByEmail("2@x.test")).toBeNull()
  })
})

describe.skipIf(inject("mariadb") === undefined)("on a MariaDB server", () => {
  explains("MariaDB", () => overMariadb("prisma_missing", "latchkey", { tables: [] }))

  test("the error for a token that is too long contains no token", async () => {
    const adapter = prisma(await overMariadb("prisma_long", "latchkey"))
    const { id: userId } = await adapter.createUser(ada)
    const error = await failureOf(() =>
      adapter.createSession?.({ ...session, userId, sessionToken: secret.repeat(30) }),
    )
    expect(Object(error).message).toBe("A value doesn't fit into its column. Use a wider type in your schema.")
    expect(textsOf(error)).not.toContain(secret)
  })
})
