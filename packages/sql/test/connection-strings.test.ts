import { inspect } from "node:util"
import { Auth } from "@latchkey/core"
import type { SqlAdapter } from "@latchkey/sql"
import { libsql } from "@latchkey/sql/libsql"
import { mysql } from "@latchkey/sql/mysql"
import { type PgPool, postgres } from "@latchkey/sql/postgres"
import pg from "pg"
import { describe, expect, onTestFinished, test } from "vitest"

const password = "s3cr3tPassw0rd"

const invalid: readonly [name: string, open: () => SqlAdapter][] = [
  ["of MySQL with # in the password", () => mysql(`mysql://user:${password}#x@127.0.0.1:3306/app`)],
  ["of MySQL with % in the password", () => mysql(`mysql://user:${password}%@127.0.0.1:3306/app`)],
  ["of MySQL with an impossible port", () => mysql(`mysql://user:${password}@127.0.0.1:99999/app`)],
  ["of PostgreSQL with # in the password", () => postgres(`postgres://user:${password}#x@127.0.0.1/app`)],
  ["of PostgreSQL with an impossible port", () => postgres(`postgres://user:${password}@127.0.0.1:99999/app`)],
  ["of an older version of pg", () => postgres({ pool: olderPool(`postgres://user:${password}@127.0.0.1:99999/app`) })],
  ["of libSQL without a scheme", () => libsql(`127.0.0.1:8080?authToken=${password}`)],
  ["of libSQL with an impossible port", () => libsql(`libsql://user:${password}@127.0.0.1:99999`)],
]

/** Before version 2.7 of `pg-connection-string`, the error had the connection string. */
function olderPool(connectionString: string): PgPool {
  return { connect: async () => Promise.reject(reasonOf(connectionString)), end: async () => undefined }
}

function reasonOf(url: string): unknown {
  try {
    return new URL(url)
  } catch (error) {
    return error
  }
}

async function failureOf(adapter: SqlAdapter): Promise<unknown> {
  onTestFinished(() => adapter.close())
  return Promise.resolve(adapter.getUser("1")).catch((error: unknown) => error)
}

describe.each(invalid)("the connection string %s", (_, open) => {
  test("is explained by an error that doesn't quote it", async () => {
    const error = await failureOf(open())
    expect(Object(error).message).toMatch(/^The connection string of \w+(?: \w+)? isn't a valid URL\. Check its port/)
    expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(password)
  })

  test("isn't in what a logger of the application receives", async () => {
    const adapter = open()
    onTestFinished(() => adapter.close())
    const logged: string[] = []
    const log = (...entry: unknown[]) => void logged.push(inspect(entry, { depth: 20, showHidden: true }))
    await Auth(
      new Request("https://app.test/auth/session", { headers: { cookie: "__Secure-authjs.session-token=unknown" } }),
      {
        adapter,
        secret: "only-for-tests-0123456789abcdefghij",
        trustHost: true,
        session: { strategy: "database" },
        providers: [],
        logger: { error: log, warn: log, debug: log },
      },
    )
    expect(logged.join()).toContain("isn't a valid URL")
    expect(logged.join()).not.toContain(password)
  })
})

test("a check reports an invalid connection string of a replica without the password", async () => {
  const pool = new pg.Pool({ connectionString: "postgres://127.0.0.1:1/app" })
  const adapter = postgres({ pool, replica: `postgres://user:${password}#x@127.0.0.1/app` })
  onTestFinished(() => adapter.close())
  const error: unknown = await Promise.resolve(adapter.getSessionAndUser("unknown")).catch((reason: unknown) => reason)
  expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(password)
})
