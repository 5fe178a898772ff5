import { join } from "node:path"
import { sqlite } from "@latchkey/sql/sqlite"
import { postgres } from "@latchkey/sql/postgres"
import Database from "better-sqlite3"
import { Kysely, SqliteDialect } from "kysely"
import pg from "pg"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { sqliteFlavor } from "../src/flavors/sqlite.js"
import { createNames } from "../src/layouts/names.js"
import { migrate } from "../src/migrate.js"
import { migrations } from "../src/migrations.js"
import { newDatabase, temporaryFolder } from "./databases.js"

const ada = { id: "1", email: "ada@example.com", emailVerified: null }
const expires = new Date(1_900_000_000_123)

function open(file: string): Database.Database {
  const database = new Database(file)
  onTestFinished(() => {
    database.close()
  })
  return database
}

function tablesOf(database: Database.Database): unknown[] {
  return database.prepare("select name from sqlite_master where type = 'table' order by name").pluck().all()
}

test("SQLite gets the tables, keys and indexes of the README", async () => {
  const file = join(await temporaryFolder(), "a.db")
  const adapter = sqlite(file)
  await adapter.migrate()
  await adapter.close()
  const database = open(file)
  expect(tablesOf(database)).toEqual([
    "accounts",
    "authenticators",
    "latchkey_migrations",
    "latchkey_records",
    "rate_limits",
    "sessions",
    "users",
    "verification_tokens",
  ])
  const indexes = "select name from sqlite_master where type = 'index' and sql is not null order by name"
  expect(database.prepare(indexes).pluck().all()).toEqual([
    "accounts_user_id",
    "authenticators_user_id",
    "latchkey_records_expires_at",
    "latchkey_records_index1",
    "latchkey_records_index2",
    "latchkey_records_owner",
    "rate_limits_resets",
    "sessions_expires",
    "sessions_user_id",
    "verification_tokens_expires",
  ])
  for (const table of ["accounts", "sessions", "authenticators"]) {
    const keys = database.pragma(`foreign_key_list(${table})`)
    expect(keys).toMatchObject([{ table: "users", from: "user_id", to: "id", on_delete: "CASCADE" }])
  }
})

test("a prefix is added to all tables and indexes, so two adapters can share a file", async () => {
  const file = join(await temporaryFolder(), "a.db")
  const [one, two] = [sqlite(file, { prefix: "one_" }), sqlite(file, { prefix: "two_" })]
  await one.createUser(ada)
  expect(await two.getUserByEmail(ada.email)).toBeNull()
  await one.close()
  await two.close()
  const names = tablesOf(open(file)).map(String)
  expect(names).toHaveLength(16)
  expect(names.filter((name) => !/^(one|two)_/.test(name))).toEqual([])
})

test("migrating again changes nothing and keeps the data", async () => {
  const file = join(await temporaryFolder(), "a.db")
  const first = sqlite(file)
  await first.createUser({ ...ada, emailVerified: expires })
  await first.createSession({ sessionToken: "s", userId: "1", expires })
  await first.migrate()
  await first.close()
  const second = sqlite(file)
  await second.migrate()
  const found = await second.getSessionAndUser("s")
  expect(found).toMatchObject({ session: { sessionToken: "s", expires }, user: { ...ada, emailVerified: expires } })
  await second.close()
})

test("several connections can use a new file at once", async () => {
  const file = join(await temporaryFolder(), "a.db")
  const adapters = Array.from({ length: 5 }, () => sqlite(file))
  await Promise.all(
    adapters.map(async (adapter, index) => adapter.createUser({ ...ada, id: `${index}`, email: `${index}@x.test` })),
  )
  for (const adapter of adapters) await adapter.close()
  expect(open(file).prepare("select count(*) from users").pluck().get()).toBe(5)
  expect(open(file).prepare("select name from latchkey_migrations order by name").pluck().all()).toEqual(
    migrations.map(({ name }) => name),
  )
})

test.each(migrations.map((_, index) => index))(
  "a database with the first %i migrations gets the others",
  async (upTo) => {
    const file = join(await temporaryFolder(), "a.db")
    const db = new Kysely<unknown>({ dialect: new SqliteDialect({ database: new Database(file) }) })
    await migrate({ db, flavor: sqliteFlavor, names: createNames(""), hasTransactions: true, upTo })
    await db.destroy()
    const adapter = sqlite(file)
    await adapter.createUser(ada)
    await adapter.close()
    expect(tablesOf(open(file))).toContain("authenticators")
    const done = open(file).prepare("select name from latchkey_migrations order by name").pluck().all()
    expect(done).toEqual(migrations.map(({ name }) => name))
  },
)

test("with autoMigrate off, the error for missing tables says what to do", async () => {
  const adapter = sqlite(":memory:", { autoMigrate: false })
  await expect(adapter.getUser("1")).rejects.toThrow(
    "The tables are missing. Run `npx latchkey db apply`, or call `migrate()` of the adapter.",
  )
  await adapter.migrate()
  expect(await adapter.getUser("1")).toBeNull()
  await adapter.close()
})

test("a failed migration is rolled back", async () => {
  const file = join(await temporaryFolder(), "a.db")
  open(file).exec("create table mine (id text); create index sessions_expires on mine (id)")
  const adapter = sqlite(file)
  await expect(adapter.migrate()).rejects.toThrow("sessions_expires already exists")
  await adapter.close()
  expect(tablesOf(open(file))).toEqual(["mine"])
})

describe.skipIf(inject("postgres") === undefined)("on PostgreSQL", () => {
  test("the tables have the column types of the README", async () => {
    const url = await newDatabase("migrations_types")
    const adapter = postgres(url)
    await adapter.migrate()
    await adapter.close()
    const rows = await ask(
      url,
      `select attrelid::regclass || '.' || attname as name, format_type(atttypid, atttypmod) as type, collname as collation
       from pg_attribute left join pg_collation on pg_collation.oid = attcollation
       where attrelid in ('users'::regclass, 'sessions'::regclass) and attnum > 0 order by attrelid::regclass::text, attname`,
    )
    expect(rows).toEqual([
      { name: "sessions.details", type: "jsonb", collation: null },
      { name: "sessions.expires", type: "timestamp(3) with time zone", collation: null },
      { name: "sessions.extra", type: "jsonb", collation: null },
      { name: "sessions.session_token", type: "text", collation: "C" },
      { name: "sessions.user_id", type: "text", collation: "C" },
      { name: "users.email", type: "text", collation: "C" },
      { name: "users.email_verified", type: "timestamp(3) with time zone", collation: null },
      { name: "users.extra", type: "jsonb", collation: null },
      { name: "users.id", type: "text", collation: "C" },
      { name: "users.image", type: "text", collation: "default" },
      { name: "users.name", type: "text", collation: "default" },
    ])
  })

  test("several processes can use a new database at once", async () => {
    const url = await newDatabase("migrations_race")
    const adapters = Array.from({ length: 8 }, () => postgres(url))
    await Promise.all(adapters.map((adapter) => adapter.migrate()))
    for (const adapter of adapters) await adapter.close()
    expect(await ask(url, "select name from latchkey_migrations order by name")).toEqual(
      migrations.map(({ name }) => ({ name })),
    )
  })

  test("a role without permission to create tables can use a migrated database", async () => {
    const url = await newDatabase("migrations_rights")
    const owner = postgres(url)
    await owner.createUser(ada)
    await owner.close()
    await ask(
      url,
      "drop role if exists clerk; create role clerk login; grant select on all tables in schema public to clerk",
    )
    const clerks = new URL(url)
    clerks.username = "clerk"
    const adapter = postgres(clerks.href)
    expect(await adapter.getUser("1")).toMatchObject(ada)
    expect(await adapter.check()).toContainEqual({
      level: "error",
      problem: "The role clerk has no permission for insert, update, delete on users.",
      fix: 'As the owner of the table, run `grant insert, update, delete on "users" to "clerk"`.',
    })
    await ask(url, "grant insert, update, delete on all tables in schema public to clerk")
    expect(await adapter.check()).toEqual([])
    await ask(url, "revoke select on latchkey_migrations from clerk")
    expect(await adapter.check()).toEqual([
      expect.objectContaining({ problem: "The role clerk has no permission for select on latchkey_migrations." }),
    ])
    await adapter.close()
    await ask(url, "drop owned by clerk; drop role clerk")
  })
})

async function ask(connectionString: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
