import type { SqlAdapter } from "@latchkey/sql"
import { postgres } from "@latchkey/sql/postgres"
import { sqlite } from "@latchkey/sql/sqlite"
import { afterAll, describe, inject } from "vitest"
import { testAccountFunctions } from "../../core/test/account/behaviors.js"
import { newDatabase } from "./databases.js"

const opened: SqlAdapter[] = []
afterAll(async () => {
  for (const adapter of opened) await adapter.close()
})

function open(adapter: SqlAdapter): SqlAdapter {
  opened.push(adapter)
  return adapter
}

describe("account functions with SQLite", () => {
  testAccountFunctions(() => open(sqlite(":memory:")))
})

describe.skipIf(inject("postgres") === undefined)("account functions with PostgreSQL", () => {
  let count = 0
  testAccountFunctions(async () => open(postgres(await newDatabase(`account_${++count}`))))
})
