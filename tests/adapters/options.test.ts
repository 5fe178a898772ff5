import { drizzle } from "@latchkey/drizzle"
import { dynamodb, DynamoDBAdapter } from "@latchkey/dynamodb"
import { mongodb } from "@latchkey/mongodb"
import { prisma } from "@latchkey/prisma"
import { redis, redisCache, redisRateLimit, redisSessions } from "@latchkey/redis"
import { sqlAdapter } from "@latchkey/sql"
import { d1 } from "@latchkey/sql/d1"
import { libsql } from "@latchkey/sql/libsql"
import { mysql } from "@latchkey/sql/mysql"
import { postgres } from "@latchkey/sql/postgres"
import { sqlite } from "@latchkey/sql/sqlite"
import { unstorage } from "@latchkey/unstorage"
import { expect, test } from "vitest"

/** Options that the compiler refuses. They're checked before anything else, so no database is needed. */
const given = (options: object): never => options as never
const none = given({})

const users = (columns: Readonly<Record<string, string>>) => ({ tables: { users: { columns } } })

const mistakes: readonly (readonly [option: string, meant: string | undefined, open: () => unknown])[] = [
  ["tables.users.columns.emial", "tables.users.columns.email", () => sqlite(":memory:", users({ emial: "mail" }))],
  [
    "tables.users.columns.emial",
    "tables.users.columns.email",
    () => postgres({ ...users({ emial: "mail" }), pool: none }),
  ],
  [
    "tables.users.columns.emial",
    "tables.users.columns.email",
    () => mysql({ ...users({ emial: "mail" }), pool: none }),
  ],
  ["tables.users.columns.emial", "tables.users.columns.email", () => libsql("file:app.db", users({ emial: "mail" }))],
  ["tables.users.columns.emial", "tables.users.columns.email", () => d1(none, users({ emial: "mail" }))],
  ["tables.users.columns.emial", "tables.users.columns.email", () => sqlAdapter(none, users({ emial: "mail" }))],
  [
    "tables.sessions.columns.expire",
    "tables.sessions.columns.expires",
    () => sqlite(":memory:", { tables: { sessions: { columns: { expire: "until" } } } }),
  ],
  [
    "tables.users.columns.role",
    undefined,
    () => sqlite(":memory:", { layout: "latchkey", ...users({ role: "user_role" }) }),
  ],
  [
    "tables.rateLimits.columns.role",
    undefined,
    () => sqlite(":memory:", { tables: { rateLimits: { columns: { role: "x" } } } }),
  ],
  ["tables.user", "tables.users", () => sqlite(":memory:", given({ tables: { user: { name: "people" } } }))],
  [
    "tables.users.column",
    "tables.users.columns",
    () => sqlite(":memory:", given({ tables: { users: { column: {} } } })),
  ],
  ["prefixes", "prefix", () => sqlite(":memory:", given({ prefixes: "auth_" }))],
  ["connectionTimeoutMillis", undefined, () => sqlite(":memory:", given({ connectionTimeoutMillis: 1 }))],
  [
    "connectionTimeout",
    "connectionTimeoutMillis",
    () => postgres(given({ connectionString: "postgres://x", connectionTimeout: 1 })),
  ],
  ["max", undefined, () => mysql(given({ connectionString: "mysql://x", max: 5 }))],
  ["timeuot", "timeout", () => libsql("file:app.db", given({ timeuot: 1 }))],
  ["prepared", "prepare", () => drizzle(none, {}, given({ prepared: true }))],
  ["transaction", "transactions", () => prisma(none, given({ transaction: false }))],
  ["models.users", "models.user", () => prisma(none, given({ models: { users: "member" } }))],
  ["ttl", undefined, () => redis(none, given({ ttl: 60 }))],
  ["userKeyPrefx", "userKeyPrefix", () => redis(none, given({ userKeyPrefx: "u:" }))],
  ["ttl", "ttlSeconds", () => redisCache(none, none, given({ ttl: 1 }))],
  ["ttlSecond", "ttlSeconds", () => redisSessions(none, none, given({ ttlSecond: 1 }))],
  ["perfix", "prefix", () => redisRateLimit(none, given({ perfix: "x:" }))],
  ["collection", "collections", () => mongodb(none, given({ collection: {} }))],
  ["collections.users", "collections.Users", () => mongodb(none, given({ collections: { users: "people" } }))],
  ["table", "tableName", () => dynamodb(none, given({ table: "auth" }))],
  ["tablename", "tableName", () => DynamoDBAdapter(none, given({ tablename: "auth" }))],
  ["useItemsRaw", "useItemRaw", () => unstorage(none, given({ useItemsRaw: true }))],
]

test.each(mistakes)("the option `%s` is refused, which suggests %s", (option, meant, open) => {
  const advice = meant === undefined ? "Remove it." : `Did you mean \`${meant}\`?`
  expect(open).toThrow(new RegExp(`has no option \`${option}\`\\. ${advice.replaceAll(/[.?]/g, "\\$&")}$`))
})

test("a column of the application is no mistake, and neither is an option that is `undefined`", async () => {
  const options = { ...users({ role: "user_role" }), prefx: undefined }
  const adapter = sqlite(":memory:", options)
  expect(await adapter.getUser("1")).toBeNull()
  await adapter.close()
})
