import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import { prisma, type PrismaSessionAdapter } from "@latchkey/prisma"
import { describe, expect, inject, test } from "vitest"
import { overMariadb, overPg, overSqlite } from "./clients.js"
import { failureOf, textsOf } from "./errors.js"

const expires = new Date(1_900_000_000_123)

const hostile: readonly [string, string][] = [
  ["quotes and a comment", `Robert'); drop table users; -- "\`\\`],
  ["placeholders", "$1 ? :name @id %s"],
  ["emoji and combining marks", "👩‍🚀 e\u0301 \u202E right-to-left"],
  ["control characters but NUL", "\u0001\n\r\t\u007f"],
  ["nothing", ""],
]

const aUser = (name: string): AdapterUser => ({ id: "", email: `${name}@x.test`, emailVerified: null })

type Full = Required<Adapter> & Pick<PrismaSessionAdapter, "sweep">

function holdsValues(name: string, open: () => Promise<object>): void {
  describe(`${name} holds values`, () => {
    let made: Promise<Full> | undefined
    // The schema has all models.
    const adapter = () => (made ??= open().then((client) => prisma(client) as Full))

    test.each(hostile)("%s are returned unchanged", async (what, text) => {
      const db = await adapter()
      const user = { ...aUser(what), name: text, role: { [text]: [text] } }
      const { id } = await db.createUser(user)
      expect(await db.getUser(id)).toEqual({ ...user, id, image: null })
      const account = { userId: id, type: "oauth", provider: "p", providerAccountId: what, scope: text } as const
      await db.linkAccount(account)
      expect(await db.getAccount(what, "p")).toEqual(account)
    })

    test.each([0, true, { not: "" }, { equals: "a" }, ["a"]])(
      "a key that isn't text (%j) belongs to no row",
      async (key) => {
        const db = await adapter()
        // As a body that the application didn't check.
        const foreign = key as never as string
        const { id, email } = await db.createUser(aUser(`kept-${JSON.stringify(key)}`))
        const account = {
          userId: id,
          type: "oauth",
          provider: "p",
          providerAccountId: `kept-${JSON.stringify(key)}`,
        } as const
        await db.linkAccount(account)
        await db.createSession({ sessionToken: `kept-${JSON.stringify(key)}`, userId: id, expires })
        expect(await db.getUserByEmail(foreign)).toBeNull()
        expect(await db.getSessionAndUser(foreign)).toBeNull()
        expect(await db.useVerificationToken({ identifier: foreign, token: foreign })).toBeNull()
        await expect(db.updateUser({ id: foreign, name: "Mallory" })).rejects.toThrow("There is no user")
        await db.deleteUser(foreign)
        await db.deleteSession(foreign)
        await db.deleteSessions(foreign)
        await db.unlinkAccount({ provider: foreign, providerAccountId: foreign })
        expect(await db.getUser(id)).toMatchObject({ email, name: null })
        expect(await db.listSessions(id)).toHaveLength(1)
        expect(await db.getAccount(account.providerAccountId, "p")).toMatchObject({ userId: id })
      },
    )

    test.each(["a\0b", "a\ud800"])(
      "text that can't be stored (%j) is rejected by writes and not found by reads",
      async (text) => {
        const db = await adapter()
        const rejected = "which the database can't store. Remove it."
        const user = aUser("unstorable")
        await expect(db.createUser({ ...user, email: text })).rejects.toThrow(rejected)
        await expect(db.createUser({ ...user, name: text })).rejects.toThrow(rejected)
        const nested = { ...user, address: { street: [text] } }
        await expect(db.createUser(nested)).rejects.toThrow(rejected)
        expect(await db.getUserByEmail(text)).toBeNull()
        expect(await db.getUserByAccount({ provider: "p", providerAccountId: text })).toBeNull()
        expect(await db.getSessionAndUser(text)).toBeNull()
        expect(await db.useVerificationToken({ identifier: text, token: text })).toBeNull()
        expect(await db.getUserByEmail(user.email)).toBeNull()
      },
    )

    test("an invalid date is rejected", async () => {
      const db = await adapter()
      const token = { identifier: "i", token: "t", expires: new Date(Number.NaN) }
      await expect(db.createVerificationToken(token)).rejects.toThrow("The date is invalid")
    })

    test("an error doesn't contain the token of a session, and says which row exists", async () => {
      const db = await adapter()
      const { id } = await db.createUser(aUser("secret"))
      const session = { sessionToken: "very-secret", userId: id, expires }
      await db.createSession(session)
      const taken = await failureOf(() => db.createSession(session))
      expect(taken).toMatchObject({ name: "UniqueViolation", code: "LATCHKEY_UNIQUE" })
      expect(Object(taken).message).toMatch(/^The row already exists \(.+\)\. Read it and use that row\.$/)
      const orphan = await failureOf(() => db.createSession({ ...session, sessionToken: "very-secret-2", userId: "x" }))
      expect(Object(orphan).message).toBe("There is no user with this userId. Create the user first.")
      for (const error of [taken, orphan]) expect(textsOf(error)).not.toContain("very-secret")
    })

    test("parallel updates of fields without a column keep all of them", async () => {
      const db = await adapter()
      const { id } = await db.createUser(aUser("parallel"))
      const fields = Array.from({ length: 10 }, (_, index) => `field${index}`)
      await Promise.all(fields.map(async (field) => db.updateUser({ id, [field]: true })))
      expect(await db.getUser(id)).toMatchObject(Object.fromEntries(fields.map((field) => [field, true])))
    })

    test("an update of an account keeps the refresh token of the first sign-in", async () => {
      const db = await adapter()
      const { id: userId } = await db.createUser(aUser("refresh"))
      const account = { userId, type: "oidc", provider: "acme", providerAccountId: "r" } as const
      await db.linkAccount({ ...account, access_token: "old", refresh_token: "keep", refresh_token_expires_in: 5 })
      await db.updateAccount({ ...account, access_token: "new" })
      const kept = { refresh_token: "keep", refresh_token_expires_in: 5 }
      expect(await db.listAccounts(userId)).toEqual([{ ...account, access_token: "new", ...kept }])
    })

    test("updating an unknown user or passkey is an error, and deleting one isn't", async () => {
      const db = await adapter()
      await expect(db.updateUser({ id: "ghost", name: "x" })).rejects.toThrow("There is no user with this id")
      await expect(db.updateAuthenticatorCounter("ghost", 1)).rejects.toThrow("There is no passkey")
      expect(await db.deleteUser("ghost")).toBeUndefined()
      expect(await db.deleteSession("ghost")).toBeNull()
    })

    test("sweep deletes what has expired, in batches, and returns the numbers", async () => {
      const db = await adapter()
      const { id: userId } = await db.createUser(aUser("sweep"))
      const past = new Date(1_000_000_000_000)
      for (const sessionToken of ["past 1", "past 2", "past 3"])
        await db.createSession({ sessionToken, userId, expires: past })
      await db.createSession({ sessionToken: "future", userId, expires })
      for (const token of ["past 1", "past 2"])
        await db.createVerificationToken({ identifier: "s", token, expires: past })
      await db.createVerificationToken({ identifier: "s", token: "future", expires })
      expect(await db.sweep({ before: past })).toEqual({
        sessions: 0,
        verificationTokens: 0,
        rateLimits: 0,
        records: 0,
      })
      const batches: unknown[] = []
      const swept = await db.sweep({ batchSize: 2, onBatch: (batch) => batches.push(batch) })
      expect(swept).toEqual({ sessions: 3, verificationTokens: 2, rateLimits: 0, records: 0 })
      expect(batches).toEqual([
        { table: "session", rows: 2 },
        { table: "session", rows: 1 },
        { table: "verificationToken", rows: 2 },
      ])
      expect((await db.listSessions(userId)).map(({ sessionToken }) => sessionToken)).toEqual(["future"])
      expect(await db.useVerificationToken({ identifier: "s", token: "future" })).not.toBeNull()
      await expect(db.sweep({ batchSize: 0 })).rejects.toThrow("`batchSize` isn't a positive integer")
      const signal = AbortSignal.abort()
      expect(await db.sweep({ signal })).toEqual({ sessions: 0, verificationTokens: 0, rateLimits: 0, records: 0 })
    })
  })
}

holdsValues("SQLite", () => overSqlite("latchkey"))
describe.skipIf(inject("postgres") === undefined)("on a server", () => {
  holdsValues("PostgreSQL", () => overPg("prisma_values", "latchkey"))
})
describe.skipIf(inject("mariadb") === undefined)("on a server", () => {
  holdsValues("MariaDB", () => overMariadb("prisma_values", "latchkey"))
})
