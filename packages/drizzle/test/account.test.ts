import { drizzle } from "@latchkey/drizzle"
import * as mysqlTables from "@latchkey/drizzle/mysql"
import * as sqliteTables from "@latchkey/drizzle/sqlite"
import { describe, inject } from "vitest"
import { testAccountFunctions } from "../../core/test/account/behaviors.js"
import { libsql, mysql2 } from "./databases.js"

describe("account functions with libSQL", () => {
  testAccountFunctions(async () => drizzle(await libsql(sqliteTables), sqliteTables))
})

describe.skipIf(inject("mariadb") === undefined)("account functions with MariaDB", () => {
  let count = 0
  testAccountFunctions(async () => drizzle(await mysql2(`drizzle_account_${++count}`, mysqlTables), mysqlTables))
})
