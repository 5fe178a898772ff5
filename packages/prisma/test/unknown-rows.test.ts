import { prisma, type PrismaSessionAdapter } from "@latchkey/prisma"
import { beforeAll, describe, expect, inject, test } from "vitest"
import { type Client, overMariadb, overPg, overSqlite } from "./clients.js"
import { type Provider, statementsFor } from "./tables.js"

const expires = new Date(1_900_000_000_123)
const ada = { id: "", email: "ada@example.com", emailVerified: null }
const acme = { type: "oidc", provider: "acme" } as const

const uuidTables = [
  `create table "User" (id uuid primary key, email text not null unique, "emailVerified" timestamp(3))`,
  `create table "Account" ("userId" uuid not null, type text not null, provider text not null, "providerAccountId" bigint not null, access_token text, primary key (provider, "providerAccountId"))`,
  `create table "Session" ("sessionToken" uuid primary key, "userId" uuid not null, expires timestamp(3) not null, details text)`,
  `create table "VerificationToken" (identifier text not null, token uuid not null, expires timestamp(3) not null, primary key (identifier, token))`,
  `create table "Authenticator" ("credentialID" uuid primary key, "userId" uuid not null, "providerAccountId" text not null, "credentialPublicKey" text not null, counter integer not null, "credentialDeviceType" text not null, "credentialBackedUp" boolean not null)`,
]

describe.skipIf(inject("postgres") === undefined)("PostgreSQL, with UUIDs as tokens and ids", () => {
  let adapter: Required<PrismaSessionAdapter>
  // The schema has the models for these methods.
  beforeAll(async () => {
    adapter = prisma(await overPg("prisma_uuid", "uuid", { tables: uuidTables })) as Required<PrismaSessionAdapter>
  })

  test("a session is found by its token", async () => {
    const { id: userId } = await adapter.createUser(ada)
    const sessionToken = crypto.randomUUID()
    await adapter.createSession({ sessionToken, userId, expires })
    expect((await adapter.getSessionAndUser(sessionToken))?.user.id).toBe(userId)
    await adapter.linkAccount({ ...acme, userId, providerAccountId: "9007199254740993" })
    const key = { provider: "acme", providerAccountId: "9007199254740993" }
    expect((await adapter.getUserByAccount(key))?.id).toBe(userId)
  })

  test.each(["bad", "", "a\0b", "eyJhbGciOiJkaXIi..old", "9999999999999999999"])(
    "%j is the token or id of nothing",
    async (foreign) => {
      expect(await adapter.getSessionAndUser(foreign)).toBeNull()
      expect(await adapter.updateSession({ sessionToken: foreign, expires })).toBeNull()
      expect(await adapter.deleteSession(foreign)).toBeNull()
      await adapter.describeSession(foreign, { browser: "Firefox" })
      expect(await adapter.getUser(foreign)).toBeNull()
      await expect(adapter.updateUser({ id: foreign, email: "x@x.test" })).rejects.toThrow("There is no user")
      expect(await adapter.listSessions(foreign)).toEqual([])
      await adapter.deleteSessions(foreign)
      expect(await adapter.deleteUser(foreign)).toBeUndefined()
      expect(await adapter.getUserByAccount({ provider: "acme", providerAccountId: foreign })).toBeNull()
      expect(await adapter.getAccount(foreign, "acme")).toBeNull()
      expect(await adapter.unlinkAccount({ provider: "acme", providerAccountId: foreign })).toBeUndefined()
      expect(await adapter.useVerificationToken({ identifier: foreign, token: foreign })).toBeNull()
      expect(await adapter.getAuthenticator(foreign)).toBeNull()
      expect(await adapter.deleteAuthenticator(foreign)).toBeNull()
    },
  )

  test("a value of a known session that its column can't have is an error", async () => {
    const { id: userId } = await adapter.createUser({ ...ada, email: "known@x.test" })
    const sessionToken = crypto.randomUUID()
    await adapter.createSession({ sessionToken, userId, expires })
    await expect(adapter.updateSession({ sessionToken, userId: "bad" })).rejects.toThrow("Prisma failed")
  })
})

function withoutForeignKeys(provider: Provider): { readonly tables: readonly string[] } {
  const all = statementsFor(provider, "latchkey")
  return { tables: all.map((text) => text.replace(/,\s*foreign key \([^)]*\) references .* on delete cascade/, "")) }
}

function ignoresOrphans(name: string, open: () => Promise<Client>): void {
  test(`${name}: without foreign keys, a session or account whose user is gone is unknown`, async () => {
    const adapter = prisma(await open())
    await adapter.createSession?.({ sessionToken: "s", userId: "gone", expires })
    await adapter.linkAccount({ ...acme, userId: "gone", providerAccountId: "1" })
    expect(await adapter.getSessionAndUser?.("s")).toBeNull()
    expect(await adapter.getUserByAccount({ provider: "acme", providerAccountId: "1" })).toBeNull()
  })
}

ignoresOrphans("SQLite", () => overSqlite("latchkey", withoutForeignKeys("sqlite")))
describe.skipIf(inject("postgres") === undefined)("on a PostgreSQL server", () => {
  ignoresOrphans("PostgreSQL", () => overPg("prisma_orphans", "latchkey", withoutForeignKeys("postgresql")))
})
describe.skipIf(inject("mariadb") === undefined)("on a MariaDB server", () => {
  ignoresOrphans("MariaDB", () => overMariadb("prisma_orphans", "latchkey", withoutForeignKeys("mysql")))
})

test("a session whose user is gone is also unknown if the client rejects it, as that of Prisma 6 does", async () => {
  const client = await overSqlite("latchkey")
  const gone = Object.assign(
    new Error("Inconsistent query result: Field user is required to return data, got `null` instead."),
    { name: "PrismaClientUnknownRequestError" },
  )
  const session: object = Reflect.get(client, "session")
  const older = new Proxy(client, {
    get: (target, name) =>
      name === "session"
        ? { ...session, fields: Reflect.get(session, "fields"), findFirst, findMany }
        : Reflect.get(target, name),
  })
  const findFirst = () => Promise.reject(gone)
  const findMany = () => Promise.resolve([])
  expect(await prisma(older).getSessionAndUser?.("s")).toBeNull()
})
