import { inspect } from "node:util"
import type { AdapterUser } from "@latchkey/core/adapters"
import type { SqlAdapter } from "@latchkey/sql"
import { postgres } from "@latchkey/sql/postgres"
import { sqlite } from "@latchkey/sql/sqlite"
import { afterAll, describe, expect, inject, test } from "vitest"
import { sqlAdapter } from "@latchkey/sql"
import { MysqlDialect } from "kysely"
import { createPool } from "mysql2"
import { newDatabase, newMysqlDatabase } from "./databases.js"

const expires = new Date(1_900_000_000_123)

const hostile: readonly [string, string][] = [
  ["quotes and a comment", `Robert'); drop table users; -- "\`\\`],
  ["placeholders", "$1 ? :name @id %s"],
  ["emoji and combining marks", "👩‍🚀 e\u0301 \u202E right-to-left"],
  ["control characters but NUL", "\u0001\n\r\t\u007f"],
  ["a megabyte", "x".repeat(1 << 20)],
  ["nothing", ""],
]

function holdsValues(name: string, make: () => Promise<SqlAdapter> | SqlAdapter): void {
  describe(`${name} holds values`, () => {
    let made: Promise<SqlAdapter> | undefined
    const adapter = () => (made ??= Promise.resolve(make()))
    afterAll(async () => (await adapter()).close())

    test.each(hostile)("%s are returned unchanged", async (what, text) => {
      const db = await adapter()
      const user = {
        id: `id ${what}`,
        email: `${what}@x.test`,
        emailVerified: null,
        name: text,
        extra: { [text]: [text] },
      }
      await db.createUser(user)
      expect(await db.getUser(user.id)).toEqual({ ...user, image: null })
      const account = { userId: user.id, type: "oauth", provider: "p", providerAccountId: what, scope: text } as const
      await db.linkAccount(account)
      expect(await db.getAccount(what, "p")).toEqual(account)
    })

    test("keys can contain quotes and emoji", async () => {
      const db = await adapter()
      const key = `'"\`;-- 👩‍🚀 ${name}`
      await db.createUser({ id: key, email: key, emailVerified: null })
      await db.createSession({ sessionToken: key, userId: key, expires })
      expect(await db.getSessionAndUser(key)).toMatchObject({ session: { expires }, user: { email: key } })
      await db.createVerificationToken({ identifier: key, token: key, expires })
      expect(await db.useVerificationToken({ identifier: key, token: key })).toEqual({
        identifier: key,
        token: key,
        expires,
      })
    })

    test.each(["a\0b", "a\ud800"])(
      "text that can't be stored (%j) is rejected by writes and not found by reads",
      async (text) => {
        const db = await adapter()
        const user: AdapterUser = { id: "unstorable", email: "unstorable@x.test", emailVerified: null }
        const rejected = "which the database can't store. Remove it."
        await expect(db.createUser({ ...user, email: text })).rejects.toThrow(rejected)
        await expect(db.createUser({ ...user, name: text })).rejects.toThrow(rejected)
        const nested = { ...user, address: { street: [text] } }
        await expect(db.createUser(nested)).rejects.toThrow(rejected)
        expect(await db.getUserByEmail(text)).toBeNull()
        expect(await db.getUserByAccount({ provider: "p", providerAccountId: text })).toBeNull()
        expect(await db.getSessionAndUser(text)).toBeNull()
        expect(await db.useVerificationToken({ identifier: text, token: text })).toBeNull()
        expect(await db.getUser(user.id)).toBeNull()
      },
    )

    test("an invalid date is rejected", async () => {
      const db = await adapter()
      const token = { identifier: "i", token: "t", expires: new Date(Number.NaN) }
      await expect(db.createVerificationToken(token)).rejects.toThrow("The date is invalid")
    })

    test("any number of users can have no email", async () => {
      const db = await adapter()
      const without = (id: string): AdapterUser => JSON.parse(JSON.stringify({ id, email: null, emailVerified: null }))
      await db.createUser(without("none 1"))
      await db.createUser(without("none 2"))
      expect(await db.getUser("none 2")).toMatchObject({ email: null })
    })

    test("ids are kept, counters can be 2³² − 1, and rows of an unknown user are rejected", async () => {
      const db = await adapter()
      const { id } = await db.createUser({ id: "kept", email: "kept@x.test", emailVerified: null })
      expect(id).toBe("kept")
      const passkey = {
        credentialID: "c",
        userId: id,
        providerAccountId: "c",
        credentialPublicKey: "k",
        counter: 0xffff_ffff,
        credentialDeviceType: "multiDevice",
        credentialBackedUp: false,
        transports: null,
      }
      await db.createAuthenticator(passkey)
      expect(await db.getAuthenticator("c")).toEqual(passkey)
      await expect(db.createSession({ sessionToken: "orphan", userId: "unknown", expires })).rejects.toThrow(
        "There is no user with this userId. Create the user first.",
      )
    })

    test("the UniqueViolation for a taken session token doesn't contain it", async () => {
      const db = await adapter()
      await db.createUser({ id: "s", email: "s@x.test", emailVerified: null })
      const session = { sessionToken: "very-secret", userId: "s", expires }
      await db.createSession(session)
      const error: unknown = await Promise.resolve(db.createSession(session)).catch((reason: unknown) => reason)
      expect(error).toMatchObject({ name: "UniqueViolation", code: "LATCHKEY_UNIQUE" })
      expect(Object(error).message).toMatch(/^The row already exists \(.*sessions.*\)\. Read it and use that row\.$/)
      expect(`${JSON.stringify(error)} ${String(error)} ${String(Object(error).cause)}`).not.toContain("very-secret")
    })

    test("parallel updates of different extra fields keep both", async () => {
      const db = await adapter()
      await db.createUser({ id: "u", email: "u@x.test", emailVerified: null })
      const fields = Array.from({ length: 10 }, (_, index) => `field${index}`)
      await Promise.all(fields.map(async (field) => db.updateUser({ id: "u", [field]: true })))
      expect(await db.getUser("u")).toMatchObject(Object.fromEntries(fields.map((field) => [field, true])))
    })

    test("additional fields of a session are stored, and an update merges them", async () => {
      const db = await adapter()
      await db.createUser({ id: "e", email: "e@x.test", emailVerified: null })
      const session = { sessionToken: "e", userId: "e", expires, createdAt: 1, device: "phone" }
      await db.createSession(session)
      const change = { sessionToken: "e", device: "laptop" }
      expect(await db.updateSession(change)).toEqual({ ...session, device: "laptop" })
      expect(await db.updateSession({ sessionToken: "e" })).toEqual({ ...session, device: "laptop" })
      expect((await db.getSessionAndUser("e"))?.session).toEqual({ ...session, device: "laptop" })
    })

    test("an update keeps the refresh token of the first sign-in", async () => {
      const db = await adapter()
      await db.createUser({ id: "r", email: "r@x.test", emailVerified: null })
      const account = { userId: "r", type: "oidc", provider: "acme", providerAccountId: "r" } as const
      await db.linkAccount({ ...account, access_token: "old", refresh_token: "keep" })
      await db.updateAccount({ ...account, access_token: "new" })
      expect(await db.listAccounts("r")).toEqual([{ ...account, access_token: "new", refresh_token: "keep" }])
    })

    test("updating an unknown user or passkey is an error", async () => {
      const db = await adapter()
      await expect(db.updateUser({ id: "ghost", name: "x" })).rejects.toThrow("There is no user with this id")
      await expect(db.updateAuthenticatorCounter("ghost", 1)).rejects.toThrow("There is no passkey")
      const changes = { counter: 1, credentialBackedUp: true }
      await expect(db.updateAuthenticator("ghost", changes)).rejects.toThrow("There is no passkey")
    })

    test("purge deletes expired rows and returns their numbers", async () => {
      const db = await adapter()
      await db.createUser({ id: "p", email: "p@x.test", emailVerified: null })
      const past = new Date(1_000_000_000_000)
      await db.createSession({ sessionToken: "past", userId: "p", expires: past })
      await db.createSession({ sessionToken: "future", userId: "p", expires })
      await db.createVerificationToken({ identifier: "p", token: "past", expires: past })
      expect(await db.purge(past)).toEqual({ sessions: 0, verificationTokens: 0, rateLimits: 0, records: 0 })
      expect(await db.purge()).toEqual({ sessions: 1, verificationTokens: 1, rateLimits: 0, records: 0 })
      expect((await db.listSessions("p")).map(({ sessionToken }) => sessionToken)).toEqual(["future"])
    })
  })
}

holdsValues("SQLite", () => sqlite(":memory:"))
describe.skipIf(inject("postgres") === undefined)("on a server", () => {
  holdsValues("PostgreSQL", async () => postgres(await newDatabase("sql_values")))

  test("the error for a key that is too long for PostgreSQL says what to do", async () => {
    const adapter = postgres(await newDatabase("sql_long_keys"))
    const email = Array.from({ length: 3000 }, (_, index) =>
      String.fromCodePoint(0x4e00 + ((index * 7919) % 20_000)),
    ).join("")
    await expect(adapter.createUser({ id: "1", email, emailVerified: null })).rejects.toThrow("A value is too long")
    await adapter.close()
  })
})

describe.skipIf(inject("mariadb") === undefined)("on a MariaDB server", () => {
  holdsValues("MariaDB", async () => {
    // The time zone of the driver and of the connection must not matter.
    const pool = createPool({ uri: await newMysqlDatabase("sql_values"), timezone: "+05:30" })
    pool.on("connection", (connection) => connection.query("set time_zone = '-03:00'"))
    return sqlAdapter(new MysqlDialect({ pool }))
  })

  test("a passkey whose account would be too long is rejected before it's stored", async () => {
    const adapter = sqlAdapter(new MysqlDialect({ pool: createPool({ uri: await newMysqlDatabase("sql_passkeys") }) }))
    await adapter.createUser({ id: "1", email: "ada@example.com", emailVerified: null })
    const store = async (length: number) => {
      const id = "A".repeat(length)
      const account = { userId: "1", type: "webauthn", provider: "passkey", providerAccountId: id } as const
      const credential = { credentialPublicKey: "k", counter: 0, credentialDeviceType: "singleDevice" }
      const passkey = { credentialID: id, userId: "1", providerAccountId: id, credentialBackedUp: false, ...credential }
      await adapter.createAuthenticator(passkey)
      await adapter.linkAccount(account)
    }
    await store(640)
    await expect(store(641)).rejects.toThrow("The table of accounts can't store the id of the passkey")
    expect(await adapter.listAuthenticatorsByUserId("1")).toHaveLength(1)
    await adapter.close()
  })

  test("the error of a failed write doesn't contain the session token", async () => {
    const adapter = sqlAdapter(new MysqlDialect({ pool: createPool({ uri: await newMysqlDatabase("sql_secrets") }) }))
    await adapter.createUser({ id: "1", email: "ada@example.com", emailVerified: null })
    const session = { sessionToken: "very-secret", userId: "1", expires: new Date("+012345-01-01T00:00:00Z") }
    const error: unknown = await Promise.resolve(adapter.createSession(session)).catch((reason: unknown) => reason)
    expect(Object(error).message).toContain("Incorrect datetime value")
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain("very-secret")
    await adapter.close()
  })
})
