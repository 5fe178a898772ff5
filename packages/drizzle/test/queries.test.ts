import { drizzle } from "@latchkey/drizzle"
import * as mysqlTables from "@latchkey/drizzle/mysql"
import * as pgTables from "@latchkey/drizzle/pg"
import * as sqliteTables from "@latchkey/drizzle/sqlite"
import { Cache } from "drizzle-orm/cache/core"
import { drizzle as overLibsql } from "drizzle-orm/libsql"
import { drizzle as overBetterSqlite } from "drizzle-orm/better-sqlite3"
import { drizzle as overMysql } from "drizzle-orm/mysql2"
import { drizzle as overPg } from "drizzle-orm/node-postgres"
import mysql from "mysql2/promise"
import pg from "pg"
import { afterEach, describe, expect, inject, test } from "vitest"
import { betterSqlite, libsql, mysql2, nodePostgres } from "./databases.js"

const expires = new Date("2031-03-30T01:30:00.789Z")
const ada = { id: "", email: "ada@example.com", emailVerified: expires }

const zone = process.env["TZ"]
afterEach(() => {
  if (zone === undefined) delete process.env["TZ"]
  else process.env["TZ"] = zone
})

function recorder() {
  const queries: string[] = []
  return { queries, logger: { logQuery: (query: string) => void queries.push(query) } }
}

test("a single connection has no transactions, because they would contain the queries of other requests", () => {
  expect(drizzle(overPg(new pg.Client()), pgTables).transaction).toBeUndefined()
  expect(drizzle(overPg(new pg.Pool()), pgTables).transaction).toBeDefined()
})

test("a user can be deleted without a table of sessions", async () => {
  const { users, accounts } = sqliteTables
  const adapter = drizzle(await betterSqlite({ users, accounts }), { users, accounts })
  const { id } = await adapter.createUser(ada)
  await adapter.deleteUser(id)
  expect(await adapter.getUser(id)).toBeNull()
})

test("SQLite: a session and its user are one query", async () => {
  const { $client } = await betterSqlite(sqliteTables)
  const { queries, logger } = recorder()
  const adapter = drizzle(overBetterSqlite($client, { logger }), sqliteTables)
  const { id: userId } = await adapter.createUser(ada)
  await adapter.createSession({ sessionToken: "s", userId, expires })
  queries.length = 0
  expect(await adapter.getSessionAndUser("s")).toMatchObject({ session: { expires }, user: { id: userId } })
  expect(queries).toHaveLength(1)
})

test("SQLite: the statement for a session is prepared once", async () => {
  const { $client } = await betterSqlite(sqliteTables)
  const statements: string[] = []
  const prepare = $client.prepare.bind($client)
  Object.defineProperty($client, "prepare", {
    value: (text: string) => {
      statements.push(text)
      return prepare(text)
    },
  })
  const adapter = drizzle(overBetterSqlite($client), sqliteTables)
  for (let time = 0; time < 3; time++) await adapter.getSessionAndUser("s")
  expect(statements).toHaveLength(1)
})

/** Answers every query that it's asked for with what it was told first. */
class StaleCache extends Cache {
  readonly #rows = new Map<string, unknown[]>()

  override strategy(): "all" {
    return "all"
  }

  override async get(key: string): Promise<unknown[] | undefined> {
    return this.#rows.get(key)
  }

  override async put(key: string, rows: unknown[]): Promise<void> {
    this.#rows.set(key, rows)
  }

  override async onMutate(): Promise<void> {}
}

test("libSQL: a cache of Drizzle doesn't keep an ended session or an old user", async () => {
  const { $client } = await libsql(sqliteTables)
  const adapter = drizzle(overLibsql($client, { cache: new StaleCache() }), sqliteTables)
  const { id: userId } = await adapter.createUser(ada)
  await adapter.createSession({ sessionToken: "s", userId, expires })
  expect((await adapter.getSessionAndUser("s"))?.user.id).toBe(userId)
  expect((await adapter.getUser(userId))?.email).toBe(ada.email)
  await adapter.updateUser({ id: userId, email: "new@example.com" })
  expect((await adapter.getUser(userId))?.email).toBe("new@example.com")
  await adapter.deleteSession("s")
  expect(await adapter.getSessionAndUser("s")).toBeNull()
})

describe.skipIf(inject("postgres") === undefined)("on a PostgreSQL server", () => {
  const preparedTimes =
    "select name, generic_plans + custom_plans as times from pg_prepared_statements where statement like '%session%'"

  test("a session and its user are one query, which the server prepares with `prepare`", async () => {
    const { $client } = await nodePostgres("drizzle_prepared", pgTables, { max: 1 })
    const { queries, logger } = recorder()
    const db = overPg($client, { logger })
    const plain = drizzle(db, pgTables)
    const { id: userId } = await plain.createUser(ada)
    await plain.createSession({ sessionToken: "s", userId, expires })
    queries.length = 0
    for (let time = 0; time < 3; time++) expect((await plain.getSessionAndUser("s"))?.user.id).toBe(userId)
    expect(queries).toHaveLength(3)
    expect((await $client.query(preparedTimes)).rows).toEqual([])
    const prepared = drizzle(db, pgTables, { prepare: true })
    for (let time = 0; time < 3; time++) expect((await prepared.getSessionAndUser("s"))?.user.id).toBe(userId)
    const { rows } = await $client.query(preparedTimes)
    expect(rows).toEqual([{ name: expect.stringMatching(/^latchkey_[\da-f]+$/), times: "3" }])
    // Another table has another statement, which must not have the same name.
    const { sessions: _, ...others } = pgTables
    await drizzle(db, others, { prepare: true }).getSessionAndUser("s")
    expect((await $client.query(preparedTimes)).rows).toHaveLength(2)
  })

  test("dates are the same for a server and a process in any time zone", async () => {
    const { $client } = await nodePostgres("drizzle_zones", pgTables)
    const adapterIn = async (timezone: string) => {
      process.env["TZ"] = timezone
      await $client.query(`alter database drizzle_zones set timezone = '${timezone}'`)
      return drizzle(reconnected($client.options.connectionString ?? ""), pgTables)
    }
    const tokyo = await adapterIn("Asia/Tokyo")
    const { id: userId } = await tokyo.createUser(ada)
    await tokyo.createSession({ sessionToken: "s", userId, expires })
    const berlin = await adapterIn("Europe/Berlin")
    expect((await berlin.getSessionAndUser("s"))?.session.expires).toEqual(expires)
    expect((await berlin.getUser(userId))?.emailVerified).toEqual(expires)
  })

  function reconnected(connectionString: string) {
    const pool = new pg.Pool({ connectionString, max: 1 })
    open.push(() => pool.end())
    return overPg(pool)
  }
})

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

describe.skipIf(inject("mariadb") === undefined)("on a MariaDB server", () => {
  test("a session and its user are one query", async () => {
    const { $client } = await mysql2("drizzle_queries", mysqlTables)
    const { queries, logger } = recorder()
    const adapter = drizzle(overMysql({ client: $client, logger }), mysqlTables)
    const { id: userId } = await adapter.createUser(ada)
    await adapter.createSession({ sessionToken: "s", userId, expires })
    queries.length = 0
    expect((await adapter.getSessionAndUser("s"))?.user.id).toBe(userId)
    expect(queries).toHaveLength(1)
  })

  test("dates are the same for connections and processes in any time zone", async () => {
    await mysql2("drizzle_zones", mysqlTables)
    const adapterIn = async (zone: string, offset: string) => {
      process.env["TZ"] = zone
      const connection = await mysql.createConnection({
        uri: inject("mariadb")?.replace(/mysql$/, "drizzle_zones") ?? "",
      })
      open.push(() => connection.end())
      await connection.query(`set time_zone = '${offset}'`)
      return drizzle(overMysql({ client: connection }), mysqlTables)
    }
    const tokyo = await adapterIn("Asia/Tokyo", "+09:00")
    const { id: userId } = await tokyo.createUser(ada)
    await tokyo.createSession({ sessionToken: "s", userId, expires })
    const berlin = await adapterIn("Europe/Berlin", "+01:00")
    expect((await berlin.getSessionAndUser("s"))?.session.expires).toEqual(expires)
    expect((await berlin.getUser(userId))?.emailVerified).toEqual(expires)
  })
})
