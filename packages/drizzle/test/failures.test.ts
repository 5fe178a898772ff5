import { drizzle, type DrizzleDatabase } from "@latchkey/drizzle"
import * as mysqlTables from "@latchkey/drizzle/mysql"
import * as pgTables from "@latchkey/drizzle/pg"
import * as sqliteTables from "@latchkey/drizzle/sqlite"
import { integer, sqliteTable, text } from "drizzle-orm/sqlite-core"
import { drizzle as overMysql } from "drizzle-orm/mysql2"
import { drizzle as overPg } from "drizzle-orm/node-postgres"
import mysql from "mysql2/promise"
import pg from "pg"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { betterSqlite, d1, libsql, mysql2, newMysqlDatabase, nodePostgres } from "./databases.js"
import { failureOf, textsOf } from "./errors.js"

const secret = "very-secret"
const session = { sessionToken: secret, userId: "1", expires: new Date(1_900_000_000_123) }
const ada = { id: "1", email: "ada@example.com", emailVerified: null }

function explains(name: string, tables: Parameters<typeof drizzle>[1], open: () => Promise<DrizzleDatabase>): void {
  test(`${name}: the error for a missing table says what to do, and contains no token`, async () => {
    const adapter = drizzle(await open(), tables)
    const calls = [() => adapter.getSessionAndUser(secret), () => adapter.createSession(session)]
    for (const call of calls) {
      const error = await failureOf(call)
      expect(Object(error).message).toBe(
        "A table is missing. Create it with your migrations, or pass the tables that you have.",
      )
      expect(textsOf(error)).not.toContain(secret)
      expect(Object(error).cause).toBeInstanceOf(Error)
    }
  })
}

explains("better-sqlite3", sqliteTables, () => betterSqlite({}))
explains("libSQL", sqliteTables, () => libsql({}))
explains("D1", sqliteTables, () => d1({}))

test("the error for a missing column says what to do", async () => {
  const db = await betterSqlite(sqliteTables)
  db.$client.exec("alter table session drop column details")
  await expect(drizzle(db, sqliteTables).getSessionAndUser("s")).rejects.toThrow(
    "A column is missing. Add it with your migrations, or remove it from the table in your schema.",
  )
})

test("the error for a required column without a value names it", async () => {
  const users = sqliteTable("user", {
    id: text("id").primaryKey(),
    email: text("email").unique(),
    emailVerified: integer("emailVerified", { mode: "timestamp_ms" }),
    tenant: text("tenant").notNull(),
  })
  const adapter = drizzle(await betterSqlite({ users }), { users })
  await expect(adapter.createUser({ ...ada, tenant: JSON.parse("null") })).rejects.toThrow(
    "The column `tenant` of the table `user` is required, but it has no value. Return it from `profile()` or `account()` of the provider, or give the column a default.",
  )
  expect(await adapter.createUser({ ...ada, tenant: "acme" })).toEqual({ ...ada, tenant: "acme" })
})

test.each([
  [{}, "The first argument isn't a database of Drizzle"],
  [undefined, "The first argument isn't a database of Drizzle"],
])("%j instead of a database throws at once", (db, message) => {
  expect(() => drizzle(db as unknown as DrizzleDatabase)).toThrow(message)
})

test("a table of another database throws at once", async () => {
  const db = await betterSqlite({})
  expect(() => drizzle(db, pgTables)).toThrow(
    "The table `user` is one of PostgreSQL, but the database is SQLite. Pass a table of SQLite.",
  )
  expect(() => drizzle(db, { rateLimits: mysqlTables.rateLimits })).toThrow(
    "is one of MySQL, but the database is SQLite.",
  )
})

test("a table without a required column, or with a date that isn't one, throws at once", async () => {
  const db = await betterSqlite({})
  const { users, sessions } = sqliteTables
  const wrong = (tables: object) => () => drizzle(db, tables)
  expect(wrong({ users: {} })).toThrow("`users` isn't a table of Drizzle. Pass a table of your schema.")
  expect(wrong({ accounts: users })).toThrow(
    "The table `user` has no column `userId`. Add it to the schema of `accounts`.",
  )
  const numbers = sqliteTable("s", { sessionToken: text(), userId: text(), expires: integer() })
  expect(wrong({ sessions: numbers })).toThrow("The column `expires` of the table `s` doesn't return dates.")
  expect(wrong({ sessions })).not.toThrow()
})

describe.skipIf(inject("postgres") === undefined)("on a PostgreSQL server", () => {
  explains("node-postgres", pgTables, () => nodePostgres("drizzle_missing", {}))

  test("a connection that the server closed is replaced, and the error contains no token", async () => {
    const db = await nodePostgres("drizzle_ended", pgTables, { max: 1 })
    db.$client.on("error", () => undefined)
    const adapter = drizzle(db, pgTables)
    const { id: userId } = await adapter.createUser(ada)
    await adapter.createSession({ ...session, userId })
    const other = new pg.Client({ connectionString: inject("postgres") })
    await other.connect()
    onTestFinished(() => other.end())
    const lock = await db.$client.connect()
    const { rows } = await lock.query("select pg_backend_pid() as pid")
    lock.release()
    // The only connection waits for a lock while the server ends it.
    const blocker = new pg.Client({ connectionString: urlOf("drizzle_ended") })
    await blocker.connect()
    onTestFinished(() => blocker.end())
    await blocker.query("begin; lock table session in access exclusive mode")
    const failing = failureOf(() => adapter.getSessionAndUser(secret))
    await expect
      .poll(
        async () =>
          (
            await other.query("select 1 from pg_stat_activity where pid = $1 and wait_event_type = 'Lock'", [
              rows[0].pid,
            ])
          ).rowCount,
      )
      .toBe(1)
    await other.query("select pg_terminate_backend($1)", [rows[0].pid])
    expect(textsOf(await failing)).not.toContain(secret)
    expect(Object(await failing).message).toMatch(/^The database failed: /)
    await blocker.query("rollback")
    expect((await adapter.getSessionAndUser(secret))?.user.id).toBe(userId)
  })

  test("the error for an unreachable server contains no password", async () => {
    const pool = new pg.Pool({ connectionString: "postgres://app:secret-password@127.0.0.1:1/app" })
    onTestFinished(() => pool.end())
    const error = await failureOf(() => drizzle(overPg(pool)).getUser("1"))
    expect(Object(error).cause).toMatchObject({ code: "ECONNREFUSED" })
    expect(textsOf(error)).not.toContain("secret-password")
  })

  test("a transaction that catches the error of a query rejects", async () => {
    const adapter = drizzle(await nodePostgres("drizzle_swallowed", pgTables), pgTables)
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
  explains("mysql2", mysqlTables, () => mysql2("drizzle_missing", {}))

  test("the error for a token that is too long contains no token, and its column is named", async () => {
    const adapter = drizzle(await mysql2("drizzle_long", mysqlTables), mysqlTables)
    const { id: userId } = await adapter.createUser(ada)
    const error = await failureOf(() => adapter.createSession({ ...session, userId, sessionToken: secret.repeat(30) }))
    expect(Object(error).message).toBe("A value doesn't fit into its column. Use a wider column.")
    expect(textsOf(error)).toContain("sessionToken")
    expect(textsOf(error)).not.toContain(secret)
  })

  test("a connection that the server closed is replaced", async () => {
    const pool = mysql.createPool({ uri: await newMysqlDatabase("drizzle_ended"), connectionLimit: 1 })
    onTestFinished(() => pool.end())
    const db = overMysql({ client: pool })
    const adapter = drizzle(db, mysqlTables)
    const [rows] = await pool.query("select connection_id() as id")
    const other = await mysql.createConnection(inject("mariadb") ?? "")
    onTestFinished(() => other.end())
    await other.query(`kill ${Object(rows)[0].id}`)
    const outcomes = [await failureOf(() => adapter.getUser("1")), await failureOf(() => adapter.getUser("1"))]
    expect(Object(outcomes[1]).message).toBe(
      "A table is missing. Create it with your migrations, or pass the tables that you have.",
    )
  })
})

function urlOf(name: string): string {
  const url = new URL(inject("postgres") ?? "")
  url.pathname = `/${name}`
  return url.href
}
