import { prisma } from "@latchkey/prisma"
import { describe, expect, inject, test } from "vitest"
import { type Client, overPg, overSqlite } from "./clients.js"

const ada = { id: "given", email: "ada@example.com", emailVerified: null }
const expires = new Date(1_900_000_000_000)

const renamedTables = (id: string, date: string) => [
  `create table "Member" (id ${id}, name text, email text not null unique, "emailVerified" ${date}, image text, role text not null default 'member')`,
  `create table "Identity" (id ${id}, "userId" integer not null references "Member" (id), type text not null, provider text not null,
    "providerAccountId" text not null, access_token text, unique (provider, "providerAccountId"))`,
  `create table "Login" (id ${id}, "sessionToken" text not null unique, "userId" integer not null references "Member" (id), expires ${date} not null)`,
]

test("a model RateLimit of the application for something else isn't used", async () => {
  const client = await overSqlite("latchkey")
  const rateLimit = { findMany: () => [], fields: { id: {}, ip: {} } }
  const own = new Proxy(client, {
    get: (target, name) => (name === "rateLimit" ? rateLimit : Reflect.get(target, name)),
  })
  expect(prisma(own).rateLimits).toBeUndefined()
  expect(() => prisma(own, { models: { rateLimit: "rateLimit" } })).toThrow("has no field `key`")
})

const models = { user: "member", account: "identity", session: "login" }

function opens(name: string, open: () => Promise<Client>): void {
  test(`${name}: renamed models with numbers as ids, and without cascades`, async () => {
    const adapter = prisma(await open(), { models })
    const { id } = await adapter.createUser(ada)
    expect(await adapter.getUser(id)).toEqual({ ...ada, id: "1", name: null, image: null, role: "member" })
    const account = { userId: id, type: "oidc", provider: "acme", providerAccountId: "a" } as const
    await adapter.linkAccount({ ...account, access_token: "t", id_token: "no field" })
    expect(await adapter.getAccount("a", "acme")).toEqual({ ...account, id: 1, access_token: "t" })
    expect(await adapter.getUserByAccount({ provider: "acme", providerAccountId: "a" })).toMatchObject({ id })
    await adapter.createSession?.({ sessionToken: "s", userId: id, expires })
    expect(await adapter.getSessionAndUser?.("s")).toEqual({
      session: { id: 1, sessionToken: "s", userId: id, expires },
      user: await adapter.getUser(id),
    })
    expect(await adapter.updateUser({ id, name: "Ada" })).toMatchObject({ id, name: "Ada" })
    for (const unknown of ["no-number", "9999999999", "1.5", ""]) {
      expect(await adapter.getUser(unknown)).toBeNull()
      expect(await adapter.listAccounts(unknown)).toEqual([])
    }
    await expect(adapter.linkAccount({ ...account, providerAccountId: "b", userId: "x" })).rejects.toThrow(
      "The userId can't be stored in a field of type Int. Use an id of that type.",
    )
    await adapter.deleteUser(id)
    expect(await adapter.getUser(id)).toBeNull()
    expect(await adapter.getSessionAndUser?.("s")).toBeNull()
  })
}

opens("SQLite", () => overSqlite("renamed", { tables: renamedTables("integer primary key autoincrement", "datetime") }))
describe.skipIf(inject("postgres") === undefined)("on a PostgreSQL server", () => {
  opens("PostgreSQL", () =>
    overPg("prisma_renamed", "renamed", { tables: renamedTables("serial primary key", "timestamp(3)") }),
  )
})

test("an id without a default is that of the engine, and methods without a model don't exist", async () => {
  const tables = [
    `create table User (id text primary key, email text unique, emailVerified datetime, tenant text)`,
    `create table Account (userId text not null, type text not null, provider text not null, providerAccountId text not null, primary key (provider, providerAccountId))`,
  ]
  const adapter = prisma(await overSqlite("own-id", { tables }))
  expect(await adapter.createUser(ada)).toEqual({ ...ada, tenant: null })
  const second = { id: "second", email: "second@example.com", emailVerified: null, tenant: "acme" }
  expect(await adapter.createUser(second)).toEqual(second)
  for (const method of ["createSession", "useVerificationToken", "getAuthenticator", "rateLimits", "describeSession"]) {
    expect(adapter).not.toHaveProperty(method)
  }
  expect(await adapter.sweep()).toEqual({ sessions: 0, verificationTokens: 0, rateLimits: 0, records: 0 })
})

test("a client without a model or field throws at once", async () => {
  const client = await overSqlite("own-id", { tables: [] })
  expect(() => prisma({})).toThrow(
    "The client has no model `user`. Pass a client of Prisma with this model, or name yours in `models`.",
  )
  expect(() => prisma(client, { models: { session: "login" } })).toThrow(
    "The client has no model `login`. Correct its name in `models`.",
  )
  expect(() => prisma(client, { models: { session: "account" } })).toThrow(
    "The model `account` has no field `sessionToken`. Add it to your schema.",
  )
})
