import { prisma } from "@latchkey/prisma"
import { describe, inject } from "vitest"
import { testAccountFunctions } from "../../core/test/account/behaviors.js"
import { overPg, overSqlite } from "./clients.js"

describe("account functions with SQLite", () => {
  testAccountFunctions(async () => prisma(await overSqlite("latchkey")))
})

describe.skipIf(inject("postgres") === undefined)("account functions with PostgreSQL", () => {
  let count = 0
  testAccountFunctions(async () => prisma(await overPg(`prisma_account_${++count}`, "latchkey")))
})
