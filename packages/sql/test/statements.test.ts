import { postgres } from "@latchkey/sql/postgres"
import pg from "pg"
import { describe, expect, inject, onTestFinished, test } from "vitest"
import { pgTables } from "../../../tests/interop/schemas.js"
import { inDatabase, newDatabase } from "./databases.js"

/** A pool that records the statements. */
function recordingPool(connectionString: string): { pool: pg.Pool; statements: string[] } {
  const statements: string[] = []
  class Client extends pg.Client {
    override query(...args: unknown[]): never {
      const [query] = args
      statements.push(typeof query === "string" ? query : String(Reflect.get(Object(query), "text")))
      // The overloads of `pg` can't be repeated here.
      return Reflect.apply(super.query, this, args) as never
    }
  }
  const pool = new pg.Pool({ connectionString, Client })
  onTestFinished(() => pool.end())
  return { pool, statements }
}

describe.skipIf(inject("postgres") === undefined)("statements in PostgreSQL", () => {
  test.for([
    { tables: "its own tables", schema: undefined, name: "own", describes: 1 },
    { tables: "tables without a column for details", schema: pgTables, name: "published", describes: 0 },
  ])(
    "a session read is one statement, and its details add $describes, with $tables",
    async ({ schema, name, describes }) => {
      const url = await newDatabase(`statements_${name}`)
      if (schema !== undefined) await inDatabase(url, schema)
      const { pool, statements } = recordingPool(url)
      const adapter = postgres({ pool })
      const { id } = await adapter.createUser({ id: "ada", email: "ada@example.test", emailVerified: null })
      await adapter.createSession({ sessionToken: "token", userId: id, expires: new Date(Date.now() + 60_000) })
      statements.length = 0
      expect((await adapter.getSessionAndUser("token"))?.user.email).toBe("ada@example.test")
      expect(statements).toHaveLength(1)
      statements.length = 0
      await adapter.describeSession("token", { lastUsedAt: new Date() })
      expect(statements).toHaveLength(describes)
    },
  )
})
