import type { SqlAdapter } from "@latchkey/sql"
import { mysql } from "@latchkey/sql/mysql"
import { type PgClient, type PgPool, postgres } from "@latchkey/sql/postgres"
import pg from "pg"
import postgresJs from "postgres"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { conforms } from "./conforms.js"
import { newDatabase, newMysqlDatabase } from "./databases.js"

function user(id: string) {
  return { id, email: `${id}@x.test`, emailVerified: null }
}

/**
 * A pool whose every nth statement fails, as if another transaction had changed the same rows.
 *
 * @param calm how many statements succeed after that, so that a longer transaction does when it's repeated
 */
function conflicting(pool: pg.Pool, nth: number, calm = 0): PgPool & { readonly statements: number } {
  let statements = 0
  let failedAt = -calm
  const fail = async (client: pg.PoolClient, text: string) => {
    // Nothing of a failed transaction is stored.
    if (text === "commit") await client.query("rollback")
    throw Object.assign(new Error("could not serialize access"), { code: "40001", severity: "ERROR" })
  }
  return {
    get statements() {
      return statements
    },
    async connect(): Promise<PgClient> {
      const client = await pool.connect()
      return {
        query(query) {
          statements += 1
          const ends = query.text === "rollback"
          if (statements % nth !== 0 || ends || statements - failedAt <= calm) return client.query(query)
          failedAt = statements
          return fail(client, query.text)
        },
        release: (destroy) => client.release(destroy),
      }
    },
    end: () => pool.end(),
  }
}

/** Two transactions that each lock a row and then want the row of the other one. */
async function deadlock(adapter: SqlAdapter): Promise<number> {
  await adapter.createUser(user("1"))
  await adapter.createUser(user("2"))
  let runs = 0
  const reached: (() => void)[] = []
  const both = new Promise<void>((resolve) => {
    reached.push(() => reached.length > 2 && resolve())
  })
  const change = (first: string, second: string) =>
    adapter.transaction(async (inside) => {
      runs += 1
      await inside.updateUser?.({ id: first, name: `first of ${first}` })
      reached.push(() => undefined)
      reached[0]?.()
      await both
      await inside.updateUser?.({ id: second, image: `second of ${first}` })
    })
  await Promise.all([change("1", "2"), change("2", "1")])
  expect(await adapter.getUser("1")).toMatchObject({ name: "first of 1", image: "second of 2" })
  expect(await adapter.getUser("2")).toMatchObject({ name: "first of 2", image: "second of 1" })
  return runs
}

function closedAfterTest<Adapter extends SqlAdapter>(adapter: Adapter): Adapter {
  onTestFinished(() => adapter.close())
  return adapter
}

describe.skipIf(inject("postgres") === undefined)("on PostgreSQL", () => {
  const serializable = async (name: string) => {
    const url = new URL(await newDatabase(name))
    url.searchParams.set("options", "-c default_transaction_isolation=serializable")
    return url.href
  }

  conforms("serializable PostgreSQL", async () => postgres(await serializable("retries_serializable")))
  conforms("PostgreSQL of which statements fail with a conflict", async () => {
    const connectionString = await newDatabase("retries_injected")
    // One transaction with more than 11 statements, which would never succeed.
    const ready = postgres(connectionString)
    await ready.migrate()
    await ready.close()
    return postgres({ pool: conflicting(new pg.Pool({ connectionString }), 11, 60) })
  })

  test("parallel serializable transactions all succeed", async () => {
    const adapter = closedAfterTest(postgres(await serializable("retries_parallel")))
    await adapter.createUser(user("1"))
    const fields = Array.from({ length: 20 }, (_, index) => `field${index}`)
    let runs = 0
    await Promise.all(
      fields.map((field) =>
        adapter.transaction(async (inside) => {
          runs += 1
          const found = await inside.getUser?.("1")
          await inside.updateUser?.({ id: "1", name: `${found?.name ?? ""}x`, [field]: true })
        }),
      ),
    )
    expect(await adapter.getUser("1")).toMatchObject({
      name: "x".repeat(20),
      ...Object.fromEntries(fields.map((field) => [field, true])),
    })
    expect(runs).toBeGreaterThan(20)
  })

  test("a transaction that loses a deadlock runs again", async () => {
    const adapter = closedAfterTest(postgres(await newDatabase("retries_deadlock")))
    expect(await deadlock(adapter)).toBe(3)
  })

  test("a transaction of postgres.js that loses a deadlock runs again", async () => {
    const pool = postgresJs(await newDatabase("retries_deadlock_js"), { onnotice: () => {} })
    expect(await deadlock(closedAfterTest(postgres({ pool })))).toBe(3)
  })

  test("after 12 attempts, the error says why", async () => {
    const connectionString = await newDatabase("retries_bound")
    const ready = closedAfterTest(postgres(connectionString))
    await ready.migrate()
    const pool = conflicting(new pg.Pool({ connectionString }), 1)
    const adapter = closedAfterTest(postgres({ pool, layout: "latchkey", autoMigrate: false }))
    await expect(adapter.getUser("1")).rejects.toThrow(
      "Other transactions locked or changed the same rows at each of 12 attempts. Try again later.",
    )
    expect(pool.statements).toBe(12)
  })
})

describe.skipIf(inject("mariadb") === undefined)("on MariaDB", () => {
  test("a transaction that loses a deadlock runs again", async () => {
    const adapter = closedAfterTest(mysql(await newMysqlDatabase("retries_deadlock")))
    expect(await deadlock(adapter)).toBe(3)
  })

  test("of 20 parallel sign-ups of one email, one is stored", async () => {
    const adapter = closedAfterTest(mysql(await newMysqlDatabase("retries_sign_ups")))
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        adapter.transaction(async (inside) => {
          await inside.getUserByEmail?.("same@x.test")
          await inside.createUser?.({ ...user(`${index}`), email: "same@x.test" })
          await inside.linkAccount?.({ userId: `${index}`, provider: "acme", providerAccountId: "1", type: "oauth" })
          return index
        }),
      ),
    )
    const winners = outcomes.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []))
    expect(winners).toHaveLength(1)
    const codes = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason.code] : []))
    expect(new Set(codes)).toEqual(new Set(["LATCHKEY_UNIQUE"]))
    expect(await adapter.listAccounts(`${winners[0]}`)).toHaveLength(1)
  })
})
