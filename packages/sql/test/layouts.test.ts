import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import type { SqlAdapter, SqlAdapterOptions } from "@latchkey/sql"
import { sqlite } from "@latchkey/sql/sqlite"
import { describe, expect, onTestFinished, test, vi } from "vitest"
import { temporaryFolder } from "./databases.js"
import { drizzleTables } from "./layout-tables.js"

const ada = { id: "1", email: "ada@example.com", emailVerified: null }
const admin = { ...ada, image: "a.png", role: "admin" }
const expires = new Date(1_900_000_000_123)

interface OpenedFile {
  readonly adapter: SqlAdapter
  readonly database: DatabaseSync
}

async function inFile(statements: string, options: SqlAdapterOptions = {}): Promise<OpenedFile> {
  const file = join(await temporaryFolder(), "a.db")
  const database = new DatabaseSync(file)
  database.exec(statements)
  const adapter = sqlite(file, options)
  onTestFinished(async () => {
    await adapter.close()
    database.close()
  })
  return { adapter, database }
}

describe("which tables are used", () => {
  test("its own are created in an empty database, and used beside those of a published adapter", async () => {
    const { adapter, database } = await inFile("create table mine (a text)")
    await adapter.createUser(ada)
    database.exec(drizzleTables(""))
    const file = String(database.location())
    const again = sqlite(file)
    expect(await again.getUser("1")).toMatchObject(ada)
    await again.close()
  })

  test("those of a published adapter are used with their prefix", async () => {
    const { adapter, database } = await inFile(drizzleTables("app_"), { prefix: "app_" })
    await adapter.createUser(ada)
    expect(database.prepare("select email from app_user").all()).toMatchObject([{ email: ada.email }])
    expect(database.prepare("select name from sqlite_master where name like '%migrations'").all()).toEqual([])
  })

  test("two sets of tables are an error that names the option, which chooses one", async () => {
    const pascal = drizzleTables("")
      .replace(/"user"/g, '"users"')
      .replace(/"(account|session)"/g, '"$1s"')
    const both = drizzleTables("") + pascal.replace("verification_token", "verification_tokens")
    const { adapter, database } = await inFile(both)
    await expect(adapter.getUser("1")).rejects.toThrow(
      'The database has two sets of tables: one with users, and one with user. Set the option `layout` to "latchkey", "authjs-pg"',
    )
    const chosen = sqlite(String(database.location()), { layout: "authjs-pg" })
    await chosen.createUser(ada)
    await chosen.close()
    expect(database.prepare('select email from "users"').all()).toHaveLength(1)
  })

  test("a layout whose tables are missing is an error that names them", async () => {
    const { adapter } = await inFile("", { layout: "authjs-prisma" })
    await expect(adapter.getUser("1")).rejects.toThrow("The database has no table User.")
    await expect(adapter.migrate()).rejects.toThrow("The database has no table User.")
  })

  test("a missing column is an error that names the option", async () => {
    const without = drizzleTables("").replace('"sessionToken" text primary key, ', "")
    const { adapter } = await inFile(without)
    await expect(adapter.getUser("1")).rejects.toThrow(
      'The table session has no column for sessionToken (it has userId, expires). Add it, or set its name with `tables: { sessions: { columns: { sessionToken: "…" } } }`.',
    )
    expect(await adapter.check()).toMatchObject([{ level: "error", problem: expect.stringContaining("sessionToken") }])
  })

  test("after an error, the next call looks again", async () => {
    const { adapter, database } = await inFile("", { layout: "authjs-drizzle" })
    await expect(adapter.getUser("1")).rejects.toThrow("The database has no table user.")
    database.exec(drizzleTables(""))
    expect(await adapter.getUser("1")).toBeNull()
  })
})

describe("names", () => {
  test("of its own tables and columns can be chosen", async () => {
    const tables = {
      users: { name: "people", columns: { image: "avatar", extra: "more" } },
      sessions: { columns: { sessionToken: "token" } },
    }
    const { adapter, database } = await inFile("", { tables, prefix: "auth_" })
    await adapter.createUser(admin)
    await adapter.createSession({ sessionToken: "s", userId: "1", expires })
    expect(database.prepare("select id, avatar, more from people").all()).toEqual([
      expect.objectContaining({ id: "1", avatar: "a.png", more: '{"role":"admin"}' }),
    ])
    expect(database.prepare("select token from auth_sessions").all()).toHaveLength(1)
    expect(await adapter.getSessionAndUser("s")).toMatchObject({ user: { image: "a.png", role: "admin" } })
    expect(await adapter.check()).toEqual([])
  })

  test("of the tables and columns of an application can be given", async () => {
    const renamed = drizzleTables("")
      .replace(/"user"/g, '"people"')
      .replace("image text", "avatar text, user_role text")
    const tables = { users: { name: "people", columns: { image: "avatar", role: "user_role" } } }
    const { adapter, database } = await inFile(renamed, { tables })
    await adapter.createUser(admin)
    expect(await adapter.getUser("1")).toMatchObject({ image: "a.png", role: "admin" })
    expect(database.prepare("select avatar, user_role from people").all()).toMatchObject([
      { avatar: "a.png", user_role: "admin" },
    ])
  })

  test("of a table that doesn't exist are an error", async () => {
    const { adapter } = await inFile(drizzleTables(""), {
      layout: "authjs-drizzle",
      tables: { sessions: { name: "logins" } },
    })
    await expect(adapter.getUser("1")).rejects.toThrow("The database has no table logins.")
  })
})

describe("columns of the application", () => {
  test("are fields of the user, with their default values, and fields without a column are dropped", async () => {
    const own = drizzleTables("").replace(
      "image text",
      "image text, role text not null default 'member', points integer",
    )
    const { adapter } = await inFile(own)
    const player = { ...ada, points: 3, unknown: "dropped" }
    const created = await adapter.createUser(player)
    expect(created).toMatchObject({ role: "member", points: 3 })
    expect(created).not.toHaveProperty("unknown")
    const promoted = { id: "1", role: "admin" }
    expect(await adapter.updateUser(promoted)).toMatchObject({ role: "admin", points: 3 })
    await adapter.createSession({ sessionToken: "s", userId: "1", expires })
    expect((await adapter.getSessionAndUser("s"))?.user).toMatchObject({ role: "admin", points: 3 })
  })

  test("that need a value are an error that says so", async () => {
    const { adapter } = await inFile(drizzleTables("").replace("image text", "image text, tenant text not null"))
    const problem = "The column tenant of user needs a value"
    await expect(adapter.createUser(ada)).rejects.toThrow(`${problem}. Give it a default value, or allow NULL.`)
    const finding = { level: "warning", problem: `${problem}, so rows without it can't be stored.` }
    expect(await adapter.check()).toContainEqual(expect.objectContaining(finding))
    const tenant = { ...ada, tenant: "t" }
    expect(await adapter.createUser(tenant)).toMatchObject({ tenant: "t" })
  })
})

test("a column of the application without a value is null, as in the published adapters", async () => {
  const { adapter } = await inFile(drizzleTables("").replace("image text", "image text, role text"))
  expect(await adapter.createUser(ada)).toEqual({ ...ada, name: null, image: null, role: null })
  await adapter.createSession({ sessionToken: "s", userId: "1", expires })
  expect((await adapter.getSessionAndUser("s"))?.user).toMatchObject({ role: null })
})

test("integers of the application that JavaScript would round are text", async () => {
  const { adapter, database } = await inFile(drizzleTables("").replace("image text", "image text, discord bigint"))
  database.exec(`insert into "user" (id, email, discord) values ('1', 'a', 9007199254740993), ('2', 'b', -5)`)
  expect(await adapter.getUser("1")).toMatchObject({ discord: "9007199254740993" })
  await adapter.updateUser({ id: "2", discord: "9007199254740995" } as { id: string })
  expect(await adapter.getUser("2")).toMatchObject({ discord: "9007199254740995" })
})

test("a text in a JSON column of SQLite that isn't JSON is returned as it is", async () => {
  const { adapter, database } = await inFile(drizzleTables("").replace("image text", "image text, prefs json"))
  database.exec(`insert into "user" (id, email, prefs) values ('1', 'a', 'dark'), ('2', 'b', '"dark"')`)
  expect(await adapter.getUser("1")).toMatchObject({ prefs: "dark" })
  expect(await adapter.getUser("2")).toMatchObject({ prefs: "dark" })
})

test("a missing table for sessions is an error that says how to create it", async () => {
  const { adapter, database } = await inFile(drizzleTables(""))
  database.exec("drop table session")
  await adapter.createUser(ada)
  const fix =
    'Create it as the published adapter documents, or set its name with `tables: { sessions: { name: "…" } }`.'
  await expect(adapter.createSession({ sessionToken: "s", userId: "1", expires })).rejects.toThrow(
    `The database has no table session. ${fix}`,
  )
  expect(await adapter.check()).toContainEqual(expect.objectContaining({ level: "error", fix }))
})

test.each([{ prefix: "auth." }, { tables: { users: { name: "auth.users" } } }])(
  "a schema in %j is an error",
  (options) => {
    expect(() => sqlite(":memory:", options)).toThrow("contains a dot, which names of tables can't have.")
  },
)

test("a layout that doesn't exist is an error", () => {
  // @ts-expect-error -- for JavaScript
  expect(() => sqlite(":memory:", { layout: "authjs" })).toThrow(
    'There is no layout "authjs". Use "auto", "latchkey", ',
  )
})

test("ids and dates that Prisma would assign are assigned, and each update changes its date", async () => {
  const dates = '"createdAt" datetime not null, "updatedAt" datetime not null'
  const tables = drizzleTables("")
    .replace("image text", `image text, ${dates}`)
    .replace('"sessionToken"', `id text, ${dates}, "sessionToken"`)
  const { adapter, database } = await inFile(tables)
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2030-01-01T00:00:00Z") })
  onTestFinished(() => void vi.useRealTimers())
  await adapter.createUser(ada)
  await adapter.createSession({ sessionToken: "s", userId: "1", expires })
  vi.setSystemTime(new Date("2031-01-01T00:00:00Z"))
  await adapter.updateUser({ id: "1", name: "Ada" })
  const [created, updated] = ["2030-01-01T00:00:00.000+00:00", "2031-01-01T00:00:00.000+00:00"]
  expect(database.prepare('select "createdAt", "updatedAt" from "user"').all()).toMatchObject([
    { createdAt: created, updatedAt: updated },
  ])
  expect(database.prepare('select id, "updatedAt" from session').all()).toMatchObject([
    { id: expect.stringMatching(/^[\da-f-]{36}$/), updatedAt: created },
  ])
})

describe("dates in SQLite", () => {
  test.each([
    ["seconds", "1900000000", 1_900_000_000_000, 1_900_000_001],
    ["milliseconds", "1900000000123", 1_900_000_000_123, 1_900_000_001_999],
    ["text", "'2030-03-17T17:46:40.123Z'", 1_900_000_000_123, "2030-03-17T17:46:41.999Z"],
  ])("stay in %s", async (format, stored, time, next) => {
    const tables =
      format === "text" ? drizzleTables("").replaceAll("expires integer", "expires text") : drizzleTables("")
    const { adapter, database } = await inFile(tables)
    database.exec(`insert into "user" (id, email) values ('1', 'a'); insert into session values ('s', '1', ${stored})`)
    expect((await adapter.getSessionAndUser("s"))?.session.expires).toEqual(new Date(time))
    await adapter.updateSession({ sessionToken: "s", expires: new Date(1_900_000_001_999) })
    expect(database.prepare("select expires from session").all()).toMatchObject([{ expires: next }])
  })
})
