import { inspect } from "node:util"
import { PGlite } from "@electric-sql/pglite"
import { postgres, type PostgresPool } from "@latchkey/sql/postgres"
import pg from "pg"
import postgresJs from "postgres"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { parserOf, textOf } from "../src/postgres-values.js"
import { newDatabase } from "./databases.js"
import { neonPool } from "./neon.js"

const shout = (text: string | null): string => `parsed ${text}`
const changedTypes = [16, 20, 23, 114, 1184, 3802]
const same = (text: string | null): string | null => text
const types = { getTypeParser: (type: number) => (changedTypes.includes(type) ? shout : same) }

/** Clients of applications that read and write every type differently. */
const pools: readonly [name: string, pool: (url: string) => Promise<PostgresPool>][] = [
  ["pg", async (connectionString) => new pg.Pool({ connectionString, types })],
  [
    "the Neon driver",
    async (url) => {
      const pool = await neonPool(url)
      Object.assign(pool.options, { types })
      return pool
    },
  ],
  [
    "postgres.js",
    async (url) => {
      const type = { to: 1184, from: changedTypes, serialize: shout, parse: shout }
      const json = { to: 3802, from: [], serialize: shout, parse: shout }
      return postgresJs(url, { types: { type, json }, transform: postgresJs.camel, onnotice: () => {} })
    },
  ],
  [
    "PGlite",
    async () =>
      new PGlite({
        parsers: Object.fromEntries(changedTypes.map((type) => [type, shout])),
        serializers: Object.fromEntries(changedTypes.map((type) => [type, shout])),
      }),
  ],
]

describe.skipIf(inject("postgres") === undefined).each(pools)("with %s that parses types differently", (name, pool) => {
  const open = async (test: string) => {
    const library = name.replaceAll(/\W/g, "_").toLowerCase()
    const adapter = postgres({ pool: await pool(await newDatabase(`sql_${test}_${library}`)) })
    onTestFinished(() => adapter.close())
    return adapter
  }

  test("dates, booleans, 64-bit numbers and JSON are what was stored", async () => {
    const adapter = await open("types")
    const instant = new Date("2031-02-03T04:05:06.789Z")
    const user = { id: "1", email: "ada@x.test", emailVerified: instant, name: null, image: null }
    const fields = { created_at: 1, roles: ["admin"], nested: { some_key: null } }
    await adapter.createUser({ ...user, ...fields })
    await adapter.createSession({ sessionToken: "s", userId: "1", expires: instant })
    await adapter.describeSession("s", { lastUsedAt: instant, browser: "Firefox" })
    expect(await adapter.getSessionAndUser("s")).toEqual({
      session: {
        sessionToken: "s",
        userId: "1",
        expires: instant,
        details: { lastUsedAt: instant, browser: "Firefox" },
      },
      user: { ...user, ...fields },
    })
    const passkey = {
      credentialID: "c",
      userId: "1",
      providerAccountId: "c",
      credentialPublicKey: "k",
      counter: 0xffff_ffff,
      credentialDeviceType: "multiDevice",
      credentialBackedUp: false,
      transports: null,
    }
    await adapter.createAuthenticator(passkey)
    expect(await adapter.getAuthenticator("c")).toEqual(passkey)
    expect(await adapter.rateLimits.take("key", { points: 1, seconds: 60 })).toMatchObject({ allowed: true })
    expect(await adapter.rateLimits.take("key", { points: 1, seconds: 60 })).toMatchObject({ allowed: false })
  })

  test("an error has no parameters", async () => {
    const adapter = await open("errors")
    // An index entry can't be this long, and random text can't be compressed.
    const token = Array.from({ length: 4000 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 7919) % 20_000))).join(
      "",
    )
    const work = adapter.createVerificationToken({ identifier: "i", token, expires: new Date() })
    const error: unknown = await Promise.resolve(work).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ message: "A value is too long for its column or index. Shorten it." })
    const { cause } = Object(error)
    expect(JSON.stringify([cause, Object.entries(cause)])).not.toContain(token.slice(0, 8))
  })
})

describe("the text of a timestamp", () => {
  const read = parserOf(1184)
  test.each([
    ["2031-02-03 04:05:06+00", "2031-02-03T04:05:06.000Z"],
    ["2031-02-03 04:05:06.7+00", "2031-02-03T04:05:06.700Z"],
    ["2031-02-03 04:05:06.789+05:30", "2031-02-02T22:35:06.789Z"],
    ["2031-02-03 04:05:06.789012-03", "2031-02-03T07:05:06.789Z"],
    ["0001-01-01 00:19:32+00:19:32", "0001-01-01T00:00:00.000Z"],
    ["12031-02-03 04:05:06+00", "+012031-02-03T04:05:06.000Z"],
    ["2031-02-03 04:05:06.789", "2031-02-03T04:05:06.789Z"],
    ["infinity", "+275760-09-13T00:00:00.000Z"],
  ])("%s is the instant %s", (text, expected) => {
    expect(read?.(text)).toEqual(new Date(expected))
  })

  test("is written in UTC, and without the plus of a year after 9999", () => {
    expect(textOf(new Date("2031-02-03T04:05:06.789Z"))).toBe("2031-02-03T04:05:06.789Z")
    expect(textOf(new Date("+012031-02-03T04:05:06.789Z"))).toBe("12031-02-03T04:05:06.789Z")
  })
})

describe.skipIf(inject("postgres") === undefined)("with a server", () => {
  test("postgres.js prepares the query of a session once per connection", async () => {
    const url = await newDatabase("postgres_js_prepared")
    const pool = postgresJs(url, { max: 1, onnotice: () => {} })
    const adapter = postgres({ pool })
    await adapter.createUser({ id: "1", email: "1@x.test", emailVerified: null })
    for (let time = 0; time < 3; time += 1) await adapter.getSessionAndUser("s")
    const rows = await pool`
      select generic_plans + custom_plans as times from pg_prepared_statements where statement like 'select%session_token%'`
    expect([...rows]).toEqual([{ times: "3" }])
    await adapter.close()
  })
})

test.skipIf(inject("postgres") === undefined)("with `debug` of postgres.js, errors have no parameters", async () => {
  const pool = postgresJs(await newDatabase("postgres_js_debug"), { debug: () => {}, onnotice: () => {} })
  const adapter = postgres({ pool, autoMigrate: false })
  const read = async () => adapter.getSessionAndUser("secret-token")
  const error = await read().catch((reason: unknown) => reason)
  expect(error).toMatchObject({ message: expect.stringContaining("The tables are missing") as string })
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain("secret-token")
  await adapter.close()
})

describe("a pool that can't be used", () => {
  test("throws an error that names those that can", () => {
    const message =
      "Pass a `Pool` of `pg` or `@neondatabase/serverless`, the `sql` of postgres.js, or a database of PGlite."
    // @ts-expect-error -- for JavaScript
    expect(() => postgres({ pool: {} })).toThrow(message)
    // @ts-expect-error -- such as `neon()`, which runs each query by itself
    expect(() => postgres({ pool: () => [] })).toThrow(message)
  })

  test("because postgres.js changes rows throws at once", () => {
    const pool = postgresJs("postgres://127.0.0.1:1/none", { transform: { row: { from: () => ({}) } } })
    expect(() => postgres({ pool })).toThrow("`postgres` can't read rows that `transform.row` of postgres.js changes.")
  })

  test("because it's a single connection rejects the first call", async () => {
    const adapter = postgres({
      // @ts-expect-error -- for JavaScript
      pool: { connect: async () => undefined, end: async () => undefined },
    })
    await expect(adapter.getUser("1")).rejects.toThrow("The `pool` is a single connection. Pass a `Pool` instead")
  })
})
