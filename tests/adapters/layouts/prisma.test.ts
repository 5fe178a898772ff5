import { PrismaAdapter } from "@auth/prisma-adapter"
import type { Adapter } from "@latchkey/core/adapters"
import type { SqlAdapter } from "@latchkey/sql"
import { mysql } from "@latchkey/sql/mysql"
import { postgres } from "@latchkey/sql/postgres"
import { sqlite } from "@latchkey/sql/sqlite"
import { afterEach, beforeEach, describe, expect, inject, onTestFinished, test } from "vitest"
import { type Client, overMariadb, overPg, overSqlite } from "../../../packages/prisma/test/clients.js"

interface Pair {
  readonly ours: Required<Adapter>
  readonly theirs: Required<Adapter>
}

/** Its type asks for a client that an application generates. */
const publishedOver = PrismaAdapter as unknown as (client: Client) => Required<Adapter>

function pair(client: Client, ours: SqlAdapter): Pair {
  onTestFinished(() => ours.close())
  return { ours, theirs: publishedOver(client) }
}

function urlOf(server: "postgres" | "mariadb", name: string): string {
  const url = new URL(inject(server) ?? "")
  url.pathname = `/${name}`
  return url.href
}

async function inPostgres(name: string): Promise<Pair> {
  const client = await overPg(name, "published")
  return pair(client, postgres(urlOf("postgres", name)))
}

async function inMariadb(name: string): Promise<Pair> {
  const client = await overMariadb(name, "published")
  return pair(client, mysql(urlOf("mariadb", name)))
}

async function inSqlite(): Promise<Pair> {
  const client = await overSqlite("published")
  const [main] = Object(await client.$queryRawUnsafe("pragma database_list"))
  return pair(client, sqlite(String(main.file)))
}

const expires = new Date("2031-11-02T06:30:00.789Z")
const key = { provider: "acme", providerAccountId: "1" }
const passkey = {
  credentialID: "Y3JlZA==",
  providerAccountId: "Y3JlZA==",
  credentialPublicKey: "a2V5",
  counter: 7,
  credentialDeviceType: "multiDevice",
  credentialBackedUp: true,
  transports: "internal",
}
const token = { identifier: "ada@example.com", token: "hash", expires }

async function fill(adapter: Required<Adapter>): Promise<object & { id: string }> {
  const fields = { name: "Ada", email: "ada@example.com", emailVerified: expires, image: "a.png" }
  const { id } = await adapter.createUser({ id: crypto.randomUUID(), ...fields })
  await adapter.linkAccount({ ...key, userId: id, type: "oidc", access_token: "at", expires_at: 1_900_000_000 })
  await adapter.createSession({ sessionToken: "session", userId: id, expires })
  await adapter.createVerificationToken(token)
  await adapter.createAuthenticator({ ...passkey, userId: id })
  return { id, ...fields }
}

async function expectAll(adapter: Required<Adapter>, user: object & { id: string }): Promise<void> {
  expect(await adapter.getUserByEmail("ada@example.com")).toMatchObject(user)
  expect(await adapter.getUserByAccount(key)).toMatchObject(user)
  expect(await adapter.getAccount("1", "acme")).toMatchObject({ access_token: "at", expires_at: 1_900_000_000 })
  expect(await adapter.getSessionAndUser("session")).toMatchObject({ session: { userId: user.id, expires }, user })
  expect(await adapter.getAuthenticator(passkey.credentialID)).toMatchObject({ ...passkey, userId: user.id })
  expect(await adapter.useVerificationToken({ identifier: token.identifier, token: token.token })).toMatchObject(token)
}

describe.each([
  ["PostgreSQL", "postgres", inPostgres],
  ["MariaDB", "mariadb", inMariadb],
  ["SQLite", undefined, inSqlite],
] as const)("the tables of @auth/prisma-adapter over %s, in New York", (_name, server, open) => {
  let before: string | undefined
  beforeEach(() => {
    before = process.env["TZ"]
    process.env["TZ"] = "America/New_York"
  })
  afterEach(() => {
    if (before === undefined) delete process.env["TZ"]
    else process.env["TZ"] = before
  })

  describe.skipIf(server !== undefined && inject(server) === undefined)("on the server", () => {
    test("are read as Prisma wrote them", async () => {
      const { ours, theirs } = await open("layouts_prisma_read")
      await expectAll(ours, await fill(theirs))
    })

    test("are written so that Prisma reads them", async () => {
      const { ours, theirs } = await open("layouts_prisma_write")
      await expectAll(theirs, await fill(ours))
    })

    test("are changed by both", async () => {
      const { ours, theirs } = await open("layouts_prisma_change")
      const { id } = await fill(theirs)
      const later = new Date("2032-03-14T07:30:00.123Z")
      await ours.updateSession({ sessionToken: "session", expires: later })
      await ours.updateUser({ id, name: "Countess" })
      expect(await theirs.getSessionAndUser("session")).toMatchObject({
        session: { expires: later },
        user: { name: "Countess", emailVerified: expires },
      })
      await theirs.updateSession({ sessionToken: "session", expires })
      expect((await ours.getSessionAndUser("session"))?.session.expires).toEqual(expires)
      await ours.deleteUser(id)
      expect(await theirs.getSessionAndUser("session")).toBeNull()
    })
  })
})
