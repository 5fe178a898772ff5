import type { SqlAdapter } from "@latchkey/sql"
import { mysql } from "@latchkey/sql/mysql"
import { postgres } from "@latchkey/sql/postgres"
import { createProvider, visit } from "@latchkey/testing"
import { createConnection, createPool } from "mysql2/promise"
import pg from "pg"
import postgresJs from "postgres"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { newDatabase, newMysqlDatabase } from "./databases.js"
import { drizzleTables } from "./layout-tables.js"

const ada = { id: "1", email: "ada@example.com", emailVerified: null }
const expires = new Date(1_900_000_000_123)

describe.skipIf(inject("postgres") === undefined)("on PostgreSQL", () => {
  const tablesWith = (id: string) => `
    create table users (id ${id} primary key, name text, email text, "emailVerified" timestamptz, image text);
    create table accounts ("userId" ${id.replace("serial", "int").replace(/ generated.*/, "")} not null, type text not null, provider text not null, "providerAccountId" text not null);
    create table sessions ("userId" ${id.replace("serial", "int").replace(/ generated.*/, "")} not null, expires timestamptz not null, "sessionToken" text not null);
    create table verification_token (identifier text, expires timestamptz, token text);`

  async function open(id: string, name: string): Promise<{ adapter: SqlAdapter; client: pg.Client; url: string }> {
    const url = await newDatabase(name)
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(tablesWith(id))
    const adapter = postgres(url)
    onTestFinished(async () => {
      await adapter.close()
      await client.end()
    })
    return { adapter, client, url }
  }

  test("ids of 64 bits are exact", async () => {
    const { adapter, client } = await open("bigserial", "layouts_bigint")
    await client.query("select setval('users_id_seq', 9007199254740993)")
    const user = await adapter.createUser({ ...ada, id: "ignored" })
    expect(user.id).toBe("9007199254740994")
    await adapter.createSession({ sessionToken: "s", userId: user.id, expires })
    expect(await adapter.getSessionAndUser("s")).toMatchObject({ session: { userId: "9007199254740994" }, user })
    expect(await adapter.getUser("9007199254740993")).toBeNull()
  })

  test.each(["abc", "1.0", "01", "99999999999", "-0", ""])("no user has the id %j", async (id) => {
    const { adapter } = await open("serial", "layouts_serial")
    const user = await adapter.createUser({ ...ada, id: "ignored" })
    expect(user.id).toBe(1)
    expect(await adapter.getUser("1")).toMatchObject({ email: ada.email })
    expect(await adapter.getUser(id)).toBeNull()
    expect(await adapter.listSessions(id)).toEqual([])
  })

  describe.each([
    ["pg", (url: string) => postgres(url)],
    ["postgres.js", (url: string) => postgres({ pool: postgresJs(url, { onnotice: () => {} }) })],
  ])("with %s", (library, connect) => {
    test.each([
      ["a string", "dark"],
      ["a string with digits", "123"],
      ["a number", 1.5],
      ["a list", ["a", null]],
      ["an object", { theme: "dark" }],
      ["false", false],
    ])("%s in a JSON column is returned unchanged", async (_what, value) => {
      const { client, url } = await open("serial", `layouts_json_${library === "pg" ? "pg" : "js"}`)
      await client.query("alter table users add prefs jsonb, add old json, add logins timestamptz[], add tags text[]")
      const adapter = connect(url)
      onTestFinished(() => adapter.close())
      const { id } = await adapter.createUser({ ...ada, prefs: value, old: value, tags: ["a"] } as typeof ada)
      await client.query("update users set logins = array[now(), now()]")
      const read = { prefs: value, old: value, logins: expect.any(Array), tags: ["a"] }
      expect(await adapter.getUser(id)).toMatchObject(read)
      expect(await adapter.updateUser({ id, name: "Ada" })).toMatchObject(read)
      await adapter.createSession({ sessionToken: "s", userId: id, expires })
      expect(await adapter.getSessionAndUser("s")).toMatchObject({ user: read })
    })
  })

  test("a check finds types of columns that can't contain what is stored", async () => {
    const { adapter, client } = await open("serial", "layouts_types")
    await client.query(`alter table users drop column "emailVerified"; alter table users add "emailVerified" boolean;
      alter table sessions alter "sessionToken" type varchar(20); alter table verification_token alter token type uuid using null`)
    const problems = (await adapter.check()).filter(({ level }) => level === "error").map(({ problem }) => problem)
    expect(problems).toEqual([
      "The column emailVerified of users has the type boolean, which can't contain a date.",
      "The column sessionToken of sessions has the type character varying(20), which can't contain 36 characters of text.",
      "The column token of verification_token has the type uuid, which can't contain 64 characters of text.",
    ])
  })

  test("an id that isn't a UUID isn't found", async () => {
    const { adapter } = await open("uuid default gen_random_uuid()", "layouts_uuid")
    const { id } = await adapter.createUser({ ...ada, id: "ignored" })
    expect(await adapter.getUser(id)).toMatchObject({ id })
    expect(await adapter.getUser("1")).toBeNull()
  })

  test("two adapters keep emails, accounts and sessions unique without a unique index", async () => {
    const { adapter, client } = await open("serial", "layouts_guards")
    const url = new URL(inject("postgres") ?? "")
    url.pathname = "/layouts_guards"
    const other = postgres(url.href)
    onTestFinished(() => other.close())
    // With open connections, the attempts run at the same time.
    const attempts = Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? adapter : other))
    await Promise.all(attempts.map(async (each) => each.getUser("1")))
    for (const email of ["a", "b", "c", "d", "e"]) {
      const results = await Promise.allSettled(attempts.map(async (each) => each.createUser({ ...ada, email })))
      const rejected = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []))
      expect(rejected.map((reason: unknown) => Reflect.get(Object(reason), "code"))).toEqual(
        Array.from({ length: 19 }, () => "LATCHKEY_UNIQUE"),
      )
    }
    expect((await client.query("select email from users order by email")).rows.map((row) => row.email).join("")).toBe(
      "abcde",
    )
  })

  test("what belongs to a user is deleted with them without a foreign key", async () => {
    const { adapter, client } = await open("serial", "layouts_orphans")
    const { id } = await adapter.createUser(ada)
    await adapter.linkAccount({ userId: id, type: "oauth", provider: "acme", providerAccountId: "1" })
    await adapter.createSession({ sessionToken: "s", userId: id, expires })
    expect(await adapter.deleteUser(id)).toMatchObject({ email: ada.email })
    const { rows } = await client.query(
      "select 1 from accounts union all select 1 from sessions union all select 1 from users",
    )
    expect(rows).toEqual([])
  })

  test("a user whose row an admin deleted signs up again with the same account", async () => {
    const { adapter, client } = await open("serial", "layouts_deleted")
    const op = createProvider()
    const browser = await visit({ providers: [op.provider()], adapter, session: { strategy: "database" } })
    await browser.signInWith(op, { as: "ada" })
    await client.query("delete from users")
    const again = browser.fresh()
    await again.signInWith(op, { as: "ada" })
    expect(await again.session()).toMatchObject({ user: { email: "ada@example.test" } })
    const { rows } = await client.query('select users.id from users join accounts on accounts."userId" = users.id')
    expect(rows).toEqual([{ id: 2 }])
    expect((await client.query("select 1 from accounts")).rows).toHaveLength(1)
  })

  test("an account whose user exists stays with this user", async () => {
    const { adapter } = await open("serial", "layouts_owned")
    const [owner, other] = [await adapter.createUser(ada), await adapter.createUser({ ...ada, email: "b@example.com" })]
    const account = { type: "oauth", provider: "acme", providerAccountId: "1" } as const
    await adapter.linkAccount({ ...account, userId: owner.id })
    await expect(adapter.linkAccount({ ...account, userId: other.id })).rejects.toThrow("already exists")
    expect(await adapter.getUserByAccount(account)).toMatchObject({ id: owner.id })
  })

  test("rows with an id that PostgreSQL always generates can be locked and changed", async () => {
    const { adapter, client } = await open("int generated always as identity", "layouts_identity")
    const user = await adapter.createUser({ ...ada, id: "ignored" })
    expect(await adapter.updateUser({ id: user.id })).toEqual(user)
    await client.query("alter table accounts add column id int generated always as identity, add column scope text")
    const account = { userId: user.id, type: "oauth", provider: "acme", providerAccountId: "1" } as const
    await adapter.migrate()
    await adapter.linkAccount(account)
    const stored = await adapter.getAccount("1", "acme")
    expect(await adapter.updateAccount({ ...account, ...stored, scope: "email" })).toEqual({
      ...stored,
      scope: "email",
    })
  })

  test("a check reports duplicates, which a plan can't index", async () => {
    const { adapter, client } = await open("serial", "layouts_duplicates")
    await client.query("insert into users (email) values ('a'), ('a')")
    expect((await adapter.plan()).filter((statement) => statement.includes("unique index"))).toEqual([
      'create unique index "latchkey_accounts_key" on "accounts" ("provider", "providerAccountId")',
      'create unique index "latchkey_sessions_key" on "sessions" ("sessionToken")',
      'create unique index "latchkey_verification_token_key" on "verification_token" ("identifier", "token")',
    ])
    expect(await adapter.check()).toContainEqual({
      level: "error",
      problem: "Several rows of users have the same email, so it can't get a unique index.",
      fix: "Delete or merge these rows, then run `npx latchkey db apply`.",
    })
  })
})

describe.skipIf(inject("mariadb") === undefined)("on MariaDB with a collation that ignores case", () => {
  test("similar emails and tokens aren't found, and a check reports the collation", async () => {
    const url = await newMysqlDatabase("layouts_collation")
    const connection = await createConnection({ uri: url, multipleStatements: true })
    await connection.query(
      drizzleTables("").replaceAll('"', "`").replaceAll("text", "varchar(191)").replaceAll("integer", "bigint"),
    )
    const adapter = mysql(url)
    onTestFinished(async () => {
      await adapter.close()
      await connection.end()
    })
    const user = await adapter.createUser(ada)
    await adapter.createSession({ sessionToken: "secret", userId: user.id, expires })
    await adapter.createVerificationToken({ identifier: "a", token: "token", expires })
    expect(await adapter.getUserByEmail("ADA@example.com")).toBeNull()
    expect(await adapter.getUserByEmail("ada@example.com ")).toBeNull()
    expect(await adapter.getUserByEmail("ada@example.com")).toMatchObject({ id: "1" })
    expect(await adapter.getSessionAndUser("SECRET")).toBeNull()
    expect(await adapter.deleteSession("SECRET")).toBeNull()
    expect(await adapter.useVerificationToken({ identifier: "A", token: "token" })).toBeNull()
    expect(await adapter.useVerificationToken({ identifier: "a", token: "token" })).toMatchObject({ expires })
    expect(await adapter.getSessionAndUser("secret")).toMatchObject({ session: { expires } })
    const problems = (await adapter.check()).filter(({ level }) => level === "error").map(({ problem }) => problem)
    expect(problems).toContain(
      "The collation of user.email treats different texts as equal, so users with similar values get in each other's way.",
    )
  })
})

describe.skipIf(inject("mariadb") === undefined)("on MariaDB with tables of another program", () => {
  /** @param change of the statements that create the tables */
  async function openTables(name: string, change: (tables: string) => string): Promise<SqlAdapter> {
    const url = await newMysqlDatabase(name)
    const connection = await createConnection({ uri: url, multipleStatements: true })
    await connection.query(change(drizzleTables("").replaceAll('"', "`").replaceAll("text", "varchar(191)")))
    await connection.end()
    const adapter = mysql(url)
    onTestFinished(() => adapter.close())
    return adapter
  }

  describe("with the character set latin1", () => {
    const open = (name: string) =>
      openTables(name, (tables) =>
        tables.replaceAll("integer", "datetime(3)").replaceAll("varchar(191)", "varchar(191) character set latin1"),
      )

    test.each(["日本", "😀", "\u0080", "?"])("no row has the key %j", async (key) => {
      const adapter = await open("layouts_latin1")
      await adapter.createUser(ada)
      expect([
        await adapter.getUser(key),
        await adapter.getUserByEmail(key),
        await adapter.getUserByAccount({ provider: "acme", providerAccountId: key }),
        await adapter.getSessionAndUser(key),
        await adapter.useVerificationToken({ identifier: key, token: "hash" }),
        await adapter.updateSession({ sessionToken: key, expires }),
        await adapter.deleteSession(key),
        await adapter.deleteUser(key),
      ]).toEqual(Array.from({ length: 8 }, () => null))
      await adapter.deleteSessions(key)
      await adapter.deleteVerificationTokens(key)
    })

    test.each(["é", "€ŒŸ", "\u0081ÿ"])("the key %j is stored and found", async (key) => {
      const adapter = await open("layouts_latin1_keys")
      await adapter.createUser({ ...ada, email: key })
      expect(await adapter.getUserByEmail(key)).toMatchObject({ id: "1", email: key })
    })

    test("a key that it doesn't have is rejected by an error that says so", async () => {
      const adapter = await open("layouts_latin1_new")
      await expect(adapter.createUser({ ...ada, email: "日本" })).rejects.toThrow("The character set of the column is")
    })
  })

  test("bytes in a column of the application stay bytes if the user is written back", async () => {
    const adapter = await openTables("layouts_bytes", (tables) =>
      tables.replaceAll("integer", "datetime(3)").replace("image varchar(191)", "image varchar(191), picture blob"),
    )
    const picture = Buffer.from([0, 255, 39])
    const user = await adapter.createUser({ ...ada, picture } as typeof ada)
    expect(user).toMatchObject({ picture })
    expect(await adapter.updateUser({ ...user, name: "Ada" })).toMatchObject({ name: "Ada", picture })
  })

  test("a check finds dates that the time zone of the server converts", async () => {
    await openTables("layouts_time_zone", (tables) =>
      tables.replaceAll("integer not null", "timestamp(3) not null").replaceAll("integer", "timestamp(3) null"),
    )
    const url = new URL(inject("mariadb") ?? "")
    url.pathname = "/layouts_time_zone"
    const problemsIn = async (zone: string) => {
      const pool = createPool(url.href)
      pool.pool.on("connection", (connection) => void connection.query(`set time_zone = '${zone}'`))
      const adapter = mysql({ pool })
      onTestFinished(() => adapter.close())
      return (await adapter.check()).map(({ problem }) => problem).filter((problem) => problem.includes("TIMESTAMP"))
    }
    expect(await problemsIn("+00:00")).toEqual([])
    expect(await problemsIn("+01:00")).toEqual(
      ["emailVerified in user", "expires in session", "expires in verification_token"].map((where) =>
        expect.stringContaining(`The type of ${where} is TIMESTAMP`),
      ),
    )
  })
})

test.skipIf(inject("mariadb") === undefined)("on MariaDB, ids of 64 bits are exact", async () => {
  const url = await newMysqlDatabase("layouts_bigint")
  const connection = await createConnection({ uri: url, multipleStatements: true })
  const tables = drizzleTables("")
    .replaceAll('"', "`")
    .replaceAll("text", "varchar(191)")
    .replaceAll("integer", "bigint")
  await connection.query(
    tables
      .replaceAll("`userId` varchar(191)", "`userId` bigint")
      .replace("id varchar(191) primary key", "id bigint primary key auto_increment"),
  )
  await connection.query("alter table user auto_increment = 9007199254740992")
  const adapter = mysql(url)
  onTestFinished(async () => {
    await adapter.close()
    await connection.end()
  })
  const users = [await adapter.createUser(ada), await adapter.createUser({ ...ada, email: "grace@example.com" })]
  expect(users.map(({ id }) => id)).toEqual(["9007199254740992", "9007199254740993"])
  for (const user of users) expect(await adapter.getUser(user.id)).toMatchObject({ email: user.email })
  await adapter.createSession({ sessionToken: "s", userId: "9007199254740993", expires })
  expect(await adapter.listSessions("9007199254740992")).toEqual([])
  expect(await adapter.listSessions("9007199254740993")).toMatchObject([{ userId: "9007199254740993" }])
  expect(await adapter.getUser("9007199254740993x")).toBeNull()
  await connection.query("drop index email on user")
  const problem = "The table user has no unique index on email. Requests at the same time can store duplicates."
  expect(await adapter.check()).toContainEqual(expect.objectContaining({ level: "error", problem }))
  await adapter.migrate()
  expect(await adapter.check()).not.toContainEqual(expect.objectContaining({ problem }))
})
