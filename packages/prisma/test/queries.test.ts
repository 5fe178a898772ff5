import type { Adapter } from "@latchkey/core/adapters"
import { prisma } from "@latchkey/prisma"
import { afterEach, describe, expect, inject, test } from "vitest"
import { type Client, overMariadb, overPg, overSqlite } from "./clients.js"

const expires = new Date("2031-03-30T01:30:00.789Z")
const ada = { id: "", email: "mike@example.com", emailVerified: expires }

const zone = process.env["TZ"]
afterEach(() => {
  if (zone === undefined) delete process.env["TZ"]
  else process.env["TZ"] = zone
})

/** The queries that reading a session takes, the second time. */
async function queriesOf(client: Client): Promise<string[]> {
  const adapter = prisma(client)
  const { id: userId } = await adapter.createUser(ada)
  await adapter.createSession?.({ sessionToken: "s", userId, expires })
  await adapter.getSessionAndUser?.("s")
  const queries: string[] = []
  client.$on("query", ({ query }) => queries.push(query))
  expect(await adapter.getSessionAndUser?.("s")).toMatchObject({ session: { expires }, user: { id: userId } })
  return queries
}

test("SQLite: a session and its user are two queries, because Prisma can't join there", async () => {
  expect(await queriesOf(await overSqlite("latchkey"))).toHaveLength(2)
})

describe.skipIf(inject("postgres") === undefined)("on a PostgreSQL server", () => {
  test("with the preview feature relationJoins, a session and its user are one query", async () => {
    expect(await queriesOf(await overPg("prisma_queries", "latchkey"))).toHaveLength(1)
  })

  test("without the preview feature, a session and its user are two queries", async () => {
    expect(await queriesOf(await overPg("prisma_two_queries", "published"))).toHaveLength(2)
  })

  test("dates are the same for processes in any time zone", async () => {
    const client = await overPg("prisma_zones", "latchkey")
    await client.$executeRawUnsafe("alter database prisma_zones set timezone = 'Asia/Tokyo'")
    const adapter = prisma(client)
    process.env["TZ"] = "Asia/Tokyo"
    const { id } = await adapter.createUser(ada)
    process.env["TZ"] = "America/New_York"
    expect((await adapter.getUser(id))?.emailVerified).toEqual(expires)
    const stored = await client.$queryRawUnsafe(`select "emailVerified"::text as date from "User"`)
    expect(stored).toEqual([{ date: "2031-03-30 01:30:00.789" }])
  })
})

describe.skipIf(inject("mariadb") === undefined)("on a MariaDB server", () => {
  test("dates are the same for processes in any time zone", async () => {
    const client = await overMariadb("prisma_zones", "latchkey")
    const adapter = prisma(client)
    process.env["TZ"] = "Asia/Tokyo"
    const { id } = await adapter.createUser(ada)
    process.env["TZ"] = "America/New_York"
    expect((await adapter.getUser(id))?.emailVerified).toEqual(expires)
    const stored = await client.$queryRawUnsafe("select cast(emailVerified as char) as date from User")
    expect(stored).toEqual([{ date: "2031-03-30 01:30:00.789" }])
  })

  test("with a collation that ignores case, accents and spaces, look-alikes aren't found", async () => {
    const client = await overMariadb("prisma_loose", "latchkey", { collation: "utf8mb4_general_ci" })
    // The schema has all models.
    const adapter = prisma(client) as Required<Adapter>
    const { id: userId } = await adapter.createUser(ada)
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
