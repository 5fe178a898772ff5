import { DatabaseSync } from "node:sqlite"
import { join } from "node:path"
import type { SqlAdapter, SqlAdapterOptions } from "@latchkey/sql"
import { mysql } from "@latchkey/sql/mysql"
import { postgres } from "@latchkey/sql/postgres"
import { sqlite } from "@latchkey/sql/sqlite"
import { createConnection } from "mysql2/promise"
import pg from "pg"
import { describe, expect, inject, onTestFinished, test, vi } from "vitest"
import { newDatabase, newMysqlDatabase, temporaryFolder } from "./databases.js"

const past = new Date("2020-01-01T00:00:00Z")
const future = new Date("2100-01-01T00:00:00Z")

interface Opened {
  adapter(options?: SqlAdapterOptions): SqlAdapter
  run(statement: string): Promise<unknown>
}

type Open = (name: string) => Promise<Opened>

const openSqlite: Open = async () => {
  const file = join(await temporaryFolder(), "a.db")
  const database = new DatabaseSync(file)
  onTestFinished(() => database.close())
  return { adapter: (options) => closing(sqlite(file, options)), run: async (statement) => database.exec(statement) }
}

const openPostgres: Open = async (name) => {
  const url = await newDatabase(`maintenance_${name}`)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  onTestFinished(() => client.end())
  return {
    adapter: (options) => closing(postgres({ connectionString: url, ...options })),
    run: (statement) => client.query(statement),
  }
}

const openMysql: Open = async (name) => {
  const url = await newMysqlDatabase(`maintenance_${name}`)
  const connection = await createConnection(url)
  onTestFinished(() => connection.end())
  return {
    adapter: (options) => closing(mysql({ connectionString: url, ...options })),
    run: (statement) => connection.query(statement),
  }
}

function closing(adapter: SqlAdapter): SqlAdapter {
  onTestFinished(() => adapter.close())
  return adapter
}

async function withSessions(adapter: SqlAdapter, expired: number): Promise<void> {
  await adapter.createUser({ id: "1", email: "ada@example.com", emailVerified: null })
  const expiries = Array.from({ length: expired }, (_, index) => new Date(past.getTime() + index))
  for (const [index, expires] of [...expiries, future, future].entries()) {
    await adapter.createSession({ sessionToken: `s${index}`, userId: "1", expires })
  }
}

describe.each([
  ["SQLite", "sqlite", openSqlite],
  ["PostgreSQL", "postgres", openPostgres],
  ["MariaDB", "mariadb", openMysql],
] as const)("%s", (_name, server, open) => {
  describe.skipIf(server !== "sqlite" && inject(server) === undefined)("on the server", () => {
    test("the statements of a plan create the tables that the adapter needs", async () => {
      const { adapter, run } = await open("plan")
      const other = adapter({ autoMigrate: false, prefix: "auth_" })
      const planned = await other.plan()
      await expect(other.getUser("1")).rejects.toThrow(
        "The tables are missing. Run `npx latchkey db apply`, or call `migrate()` of the adapter.",
      )
      for (const statement of planned) await run(statement)
      expect(await other.plan()).toEqual([])
      expect(await other.check()).toEqual([])
      await withSessions(other, 1)
      expect(await other.listSessions("1")).toHaveLength(3)
    })

    test("after a migration, there is nothing to plan, and a check finds no problem", async () => {
      const adapter = (await open("migrated")).adapter()
      expect(await adapter.plan()).not.toEqual([])
      await adapter.migrate()
      expect(await adapter.plan()).toEqual([])
      expect(await adapter.check()).toEqual([])
    })

    test("several adapters can migrate at once", async () => {
      const { adapter } = await open("parallel")
      const adapters = Array.from({ length: 5 }, () => adapter())
      await Promise.all(adapters.map((each) => each.migrate()))
      expect(await adapter().check()).toEqual([])
    })

    test("a table of the application in the way is an error, and it stays as it is", async () => {
      const { adapter, run } = await open("foreign")
      await run("create table users (id varchar(9), email varchar(9))")
      const mistaken = adapter()
      const problem = "The table users is of another program: it has no column email_verified, name, image."
      await expect(mistaken.migrate()).rejects.toThrow(problem)
      await expect(mistaken.plan()).rejects.toThrow(problem)
      await expect(mistaken.getUser("1")).rejects.toThrow("Set `prefix` to create tables with other names.")
      expect(await mistaken.check()).toContainEqual(
        expect.objectContaining({ problem: expect.stringContaining(problem) }),
      )
      await run("insert into users (id, email) values ('1', 'kept')")
      await run("drop table users")
      // Nothing of the attempts is left.
      await mistaken.migrate()
      expect(await adapter().check()).toEqual([])
    })

    test("a check finds a missing table and a missing index", async () => {
      const { adapter, run } = await open("check")
      const checked = adapter()
      await checked.migrate()
      await run("drop table rate_limits")
      await run(`drop index sessions_expires${server === "mariadb" ? " on sessions" : ""}`)
      expect(await checked.check()).toEqual([
        {
          level: "warning",
          problem: "The table sessions has no index on expires, so deleting expired rows reads the whole table.",
          fix: "Run `npx latchkey db apply`, or `migrate()` of the adapter.",
        },
        {
          level: "error",
          problem: expect.stringMatching(/^The table rate_limits is missing\. Each process counts/),
          fix: expect.stringMatching(/^A migration created it before, so `db apply` doesn't\. Restore it/),
        },
      ])
    })

    test("a sweep deletes what expired in batches, and keeps the rest", async () => {
      const adapter = (await open("sweep")).adapter()
      await withSessions(adapter, 25)
      for (const token of ["a", "b", "c"])
        await adapter.createVerificationToken({ identifier: "a", token, expires: past })
      await adapter.createVerificationToken({ identifier: "a", token: "kept", expires: future })
      const batches: unknown[] = []
      const swept = await adapter.sweep({ batchSize: 10, onBatch: (batch) => batches.push(batch) })
      expect(swept).toEqual({ sessions: 25, verificationTokens: 3, rateLimits: 0, records: 0 })
      expect(batches).toEqual([
        { table: "sessions", rows: 10 },
        { table: "sessions", rows: 10 },
        { table: "sessions", rows: 5 },
        { table: "verification_tokens", rows: 3 },
      ])
      expect(await adapter.listSessions("1")).toHaveLength(2)
      expect(await adapter.useVerificationToken({ identifier: "a", token: "kept" })).not.toBeNull()
      expect(await adapter.sweep()).toEqual({ sessions: 0, verificationTokens: 0, rateLimits: 0, records: 0 })
    })

    test("a sweep ends after the batch in which it's aborted, and deletes only what expired before a date", async () => {
      const adapter = (await open("abort")).adapter()
      await withSessions(adapter, 25)
      const controller = new AbortController()
      const { signal } = controller
      const options = { batchSize: 2, signal, onBatch: () => controller.abort() }
      expect(await adapter.sweep(options)).toEqual({ sessions: 2, verificationTokens: 0, rateLimits: 0, records: 0 })
      const before = new Date(past.getTime() + 5)
      expect(await adapter.sweep({ before, batchSize: 2 })).toMatchObject({ sessions: 3 })
      expect(await adapter.listSessions("1")).toHaveLength(22)
    })

    test("a check reports the clock of a server that differs", async () => {
      const adapter = (await open("clock")).adapter()
      await adapter.migrate()
      vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_600_000 })
      onTestFinished(() => void vi.useRealTimers())
      const problem = /^The clock of the database differs from that of this process by 3[56]\d\d seconds\.$/
      const found = [expect.objectContaining({ problem: expect.stringMatching(problem) as string })]
      expect(await adapter.check()).toEqual(server === "sqlite" ? [] : found)
    })
  })
})

test("a batch size that isn't a positive integer is an error", async () => {
  const adapter = closing(sqlite(":memory:"))
  await expect(adapter.sweep({ batchSize: 0 })).rejects.toThrow("`batchSize` must be a positive integer.")
})

describe.skipIf(inject("postgres") === undefined)("on PostgreSQL", () => {
  test("a sweep deletes all rows that expired in the same microsecond", async () => {
    const { adapter, run } = await openPostgres("microseconds")
    const swept = adapter()
    await withSessions(swept, 25)
    // As in the tables of published adapters.
    await run("alter table sessions alter expires type timestamptz(6)")
    await run("update sessions set expires = '2020-01-01T00:00:00.123789Z' where expires < now()")
    expect(await swept.sweep({ batchSize: 10 })).toMatchObject({ sessions: 25 })
  })

  test("a sweep passes over sessions that a transaction has locked", async () => {
    const { adapter, run } = await openPostgres("locked")
    const swept = adapter()
    await withSessions(swept, 5)
    await run("begin")
    await run("update sessions set expires = '2100-01-01' where session_token = 's2'")
    expect(await swept.sweep()).toMatchObject({ sessions: 4 })
    await run("commit")
    expect(await swept.getSessionAndUser("s2")).toMatchObject({ session: { expires: future } })
  })

  test("a check finds sessions that would outlive their user", async () => {
    const { adapter, run } = await openPostgres("cascade")
    const checked = adapter()
    await checked.migrate()
    await run("alter table sessions drop constraint sessions_user_id_fkey")
    const fix = expect.stringContaining("foreign key (user_id) references … on delete cascade") as string
    expect(await checked.check()).toEqual([
      { level: "error", problem: expect.stringContaining("sessions") as string, fix },
    ])
  })

  test("a server without advisory locks can be migrated by several processes", async () => {
    const { run } = await openPostgres("no_locks")
    await run("revoke execute on function pg_advisory_xact_lock(bigint) from public")
    await run("drop role if exists lockless")
    await run("create role lockless login")
    await run("grant all on schema public to lockless")
    const url = new URL(inject("postgres") ?? "")
    url.pathname = "/maintenance_no_locks"
    url.username = "lockless"
    const adapters = Array.from({ length: 5 }, () => closing(postgres(url.href)))
    await Promise.all(adapters.map((each) => each.migrate()))
    expect(await adapters[0]?.check()).toEqual([])
  })
})

describe.skipIf(inject("mariadb") === undefined)("on MariaDB", () => {
  test("a migration that ended halfway continues", async () => {
    const { adapter, run } = await openMysql("halfway")
    const migrated = adapter()
    for (const statement of (await migrated.plan()).slice(0, 5)) await run(statement)
    await run("delete from latchkey_migrations")
    await migrated.migrate()
    expect(await migrated.check()).toEqual([])
  })
})
