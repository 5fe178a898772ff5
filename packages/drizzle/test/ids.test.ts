import { drizzle } from "@latchkey/drizzle"
import * as mysqlLayout from "@latchkey/drizzle/mysql"
import * as pgLayout from "@latchkey/drizzle/pg"
import { bigint as mysqlBigint, datetime, int, mysqlTable, varchar } from "drizzle-orm/mysql-core"
import { bigint, boolean, integer, pgEnum, pgTable, serial, text, timestamp, uuid } from "drizzle-orm/pg-core"
import { integer as sqliteInteger, sqliteTable, text as sqliteText } from "drizzle-orm/sqlite-core"
import { describe, expect, inject, test } from "vitest"
import { betterSqlite, mysql2, nodePostgres } from "./databases.js"

const ada = { id: "given", email: "ada@example.com", emailVerified: null }
const expires = new Date(1_900_000_000_000)

type Opened = ReturnType<typeof drizzle>

/** A whole visit with ids that the database makes. Returns the id. */
async function expectSignIns(adapter: Opened): Promise<string> {
  const { id } = await adapter.createUser(ada)
  expect(typeof id).toBe("string")
  expect(await adapter.getUser(id)).toMatchObject({ id, email: ada.email })
  await adapter.createSession({ sessionToken: "s", userId: id, expires })
  expect(await adapter.getSessionAndUser("s")).toMatchObject({ session: { userId: id }, user: { id } })
  expect(await adapter.listSessions(id)).toEqual([{ sessionToken: "s", userId: id, expires }])
  await adapter.updateUser({ id, email: "countess@example.com" })
  expect(await adapter.getUserByEmail("countess@example.com")).toMatchObject({ id })
  for (const unknown of [
    "no-number",
    "9999999999",
    "9999999999999999999",
    "999999999999999999999",
    "1.5",
    "",
    "00000000-0000-4000-8000-000000000000",
  ]) {
    expect(await adapter.getUser(unknown)).toBeNull()
    expect(await adapter.listSessions(unknown)).toEqual([])
  }
  await adapter.deleteUser(id)
  expect(await adapter.getSessionAndUser("s")).toBeNull()
  return id
}

test("SQLite: integers of the database are ids, as text", async () => {
  const users = sqliteTable("user", {
    id: sqliteInteger("id").primaryKey({ autoIncrement: true }),
    email: sqliteText("email").unique(),
    emailVerified: sqliteInteger("emailVerified", { mode: "timestamp_ms" }),
  })
  const sessions = sqliteTable("session", {
    sessionToken: sqliteText("sessionToken").primaryKey(),
    userId: sqliteInteger("userId").references(() => users.id),
    expires: sqliteInteger("expires", { mode: "timestamp_ms" }),
  })
  const accounts = sqliteTable("account", {
    userId: sqliteInteger("userId"),
    type: sqliteText("type"),
    provider: sqliteText("provider"),
    providerAccountId: sqliteText("providerAccountId"),
  })
  const tables = { users, sessions, accounts }
  expect(await expectSignIns(drizzle(await betterSqlite(tables), tables))).toBe("1")
})

test("SQLite: an id without a default is that of the engine", async () => {
  const users = sqliteTable("user", {
    id: sqliteText("id").primaryKey(),
    email: sqliteText("email").unique(),
    emailVerified: sqliteInteger("emailVerified", { mode: "timestamp_ms" }),
  })
  expect(await drizzle(await betterSqlite({ users }), { users }).createUser(ada)).toEqual(ada)
})

const uuidSessions = pgTable("session", {
  sessionToken: uuid("sessionToken").primaryKey(),
  userId: text("userId"),
  expires: timestamp("expires", { mode: "date" }),
})

const uuidPasskeys = pgTable("authenticator", {
  credentialID: uuid("credentialID").primaryKey(),
  userId: text("userId"),
  providerAccountId: text("providerAccountId"),
  credentialPublicKey: text("credentialPublicKey"),
  counter: integer("counter"),
  credentialDeviceType: text("credentialDeviceType"),
  credentialBackedUp: boolean("credentialBackedUp"),
})

const closedProviders = pgEnum("providers", ["acme", "globex"])
const closedAccounts = pgTable("account", {
  userId: text("userId"),
  type: text("type"),
  provider: closedProviders("provider"),
  providerAccountId: text("providerAccountId"),
})

describe.skipIf(inject("postgres") === undefined)("on a PostgreSQL server", () => {
  const user = { email: text("email").unique(), emailVerified: timestamp("emailVerified", { mode: "date" }) }

  function tablesWith(
    users: Parameters<typeof drizzle>[1],
    userId: () => ReturnType<typeof text | typeof integer | typeof bigint | typeof uuid>,
  ) {
    return {
      ...users,
      sessions: pgTable("session", {
        sessionToken: text("sessionToken").primaryKey(),
        userId: userId(),
        expires: timestamp("expires", { mode: "date" }),
      }),
      accounts: pgTable("account", {
        userId: userId(),
        type: text("type"),
        provider: text("provider"),
        providerAccountId: text("providerAccountId"),
      }),
    }
  }

  test("serial numbers are ids, as text", async () => {
    const tables = tablesWith({ users: pgTable("user", { id: serial("id").primaryKey(), ...user }) }, () =>
      integer("userId"),
    )
    expect(await expectSignIns(drizzle(await nodePostgres("drizzle_serial", tables), tables))).toBe("1")
  })

  test("64-bit identities are ids, as text", async () => {
    const id = bigint("id", { mode: "bigint" })
      .primaryKey()
      .generatedAlwaysAsIdentity({ startWith: "9007199254740993" })
    const tables = tablesWith({ users: pgTable("user", { id, ...user }) }, () => bigint("userId", { mode: "bigint" }))
    expect(await expectSignIns(drizzle(await nodePostgres("drizzle_bigint", tables), tables))).toBe("9007199254740993")
  })

  test("a UUID of the database is the id", async () => {
    const id = uuid("id").primaryKey().defaultRandom()
    const tables = tablesWith({ users: pgTable("user", { id, ...user }) }, () => uuid("userId"))
    expect(await expectSignIns(drizzle(await nodePostgres("drizzle_uuid", tables), tables))).toMatch(/^[\da-f-]{36}$/)
  })

  test("with UUIDs as session tokens, a token in another format is unknown", async () => {
    const tables = { ...pgLayout, sessions: uuidSessions, authenticators: uuidPasskeys, accounts: closedAccounts }
    const db = await nodePostgres("drizzle_uuid_tokens", { ...tables, closedProviders })
    const adapter = drizzle(db, tables)
    const { id: userId } = await adapter.createUser(ada)
    const sessionToken = "11111111-2222-4333-8444-555555555555"
    await adapter.createSession({ sessionToken, userId, expires })
    expect((await adapter.getSessionAndUser(sessionToken))?.user.id).toBe(userId)
    for (const foreign of ["bad", "", "a\0b", `${sessionToken}0`, "eyJhbGciOiJkaXIi..old"]) {
      expect(await adapter.getSessionAndUser(foreign)).toBeNull()
      expect(await adapter.updateSession({ sessionToken: foreign, expires })).toBeNull()
      expect(await adapter.deleteSession(foreign)).toBeNull()
      expect(await adapter.getAuthenticator(foreign)).toBeNull()
      expect(await adapter.deleteAuthenticator(foreign)).toBeNull()
      expect(await adapter.getAccount("1", foreign)).toBeNull()
      expect(await adapter.getUserByAccount({ provider: foreign, providerAccountId: "1" })).toBeNull()
      expect(await adapter.useVerificationToken({ identifier: foreign, token: foreign })).toBeNull()
    }
  })

  test("an id that Drizzle makes is the id", async () => {
    const id = text("id")
      .primaryKey()
      .$defaultFn(() => "cuid-1")
    const tables = tablesWith({ users: pgTable("user", { id, ...user }) }, () => text("userId"))
    expect(await expectSignIns(drizzle(await nodePostgres("drizzle_cuid", tables), tables))).toBe("cuid-1")
  })

  test("an id of another type is rejected before the query", async () => {
    const { users, ...others } = pgLayout
    const tables = { ...others, users: pgTable("user", { id: integer("id").primaryKey(), ...user }) }
    expect(users).toBeDefined()
    await expect(drizzle(await nodePostgres("drizzle_wrong_id", {}), tables).createUser(ada)).rejects.toThrow(
      "The id can't be stored in a column of type integer. Use an id of that type.",
    )
  })
})

describe.skipIf(inject("mariadb") === undefined)("on a MariaDB server", () => {
  test("automatic numbers are ids, as text", async () => {
    const tables = {
      users: mysqlTable("user", {
        id: mysqlBigint("id", { mode: "number" }).primaryKey().autoincrement(),
        email: varchar("email", { length: 255 }).unique(),
        emailVerified: datetime("emailVerified", { mode: "date", fsp: 3 }),
      }),
      sessions: mysqlTable("session", {
        sessionToken: varchar("sessionToken", { length: 255 }).primaryKey(),
        userId: int("userId"),
        expires: datetime("expires", { mode: "date", fsp: 3 }),
      }),
      accounts: mysqlTable("account", {
        userId: int("userId"),
        type: varchar("type", { length: 255 }),
        provider: varchar("provider", { length: 255 }),
        providerAccountId: varchar("providerAccountId", { length: 255 }),
      }),
    }
    expect(await expectSignIns(drizzle(await mysql2("drizzle_numbers", tables), tables))).toBe("1")
  })

  test("with a collation that ignores case, accents and spaces, look-alikes aren't found", async () => {
    const adapter = drizzle(
      await mysql2("drizzle_loose", mysqlLayout, { collation: "utf8mb4_general_ci" }),
      mysqlLayout,
    )
    const { id: userId } = await adapter.createUser({ ...ada, email: "mike@example.com" })
    await adapter.linkAccount({ userId, type: "oidc", provider: "acme", providerAccountId: "abc" })
    await adapter.createSession({ sessionToken: "token", userId, expires })
    await adapter.createVerificationToken({ identifier: "mike@example.com", token: "hash", expires })
    for (const email of ["Mike@example.com", "míke@example.com", "mike@example.com "]) {
      expect(await adapter.getUserByEmail(email)).toBeNull()
      expect(await adapter.useVerificationToken({ identifier: email, token: "hash" })).toBeNull()
      await adapter.deleteVerificationTokens(email)
    }
    expect(await adapter.getUserByAccount({ provider: "acme", providerAccountId: "ABC" })).toBeNull()
    expect(await adapter.getAccount("ABC", "acme")).toBeNull()
    expect(await adapter.getSessionAndUser("TOKEN")).toBeNull()
    await adapter.deleteSession("TOKEN")
    await adapter.unlinkAccount({ provider: "acme", providerAccountId: "ABC" })
    expect((await adapter.getSessionAndUser("token"))?.user.id).toBe(userId)
    expect(await adapter.getAccount("abc", "acme")).not.toBeNull()
    expect(await adapter.useVerificationToken({ identifier: "mike@example.com", token: "hash" })).not.toBeNull()
  })
})
