import { sqlAdapter } from "@latchkey/sql"
import { mysql } from "@latchkey/sql/mysql"
import { MysqlDialect } from "kysely"
import { createPool } from "mysql2"
import { createPool as createPromisePool } from "mysql2/promise"
import { describe, inject } from "vitest"
import { conforms } from "./conforms.js"
import { newMysqlDatabase } from "./databases.js"

describe.skipIf(inject("mariadb") === undefined)("on a MariaDB server", () => {
  conforms("MariaDB through Kysely's own dialect", async () => {
    const pool = createPool({ uri: await newMysqlDatabase("conformance_dialect") })
    return sqlAdapter(new MysqlDialect({ pool }), { prefix: "auth_" })
  })
  conforms("MariaDB", async () => mysql(await newMysqlDatabase("conformance")))
  conforms("MariaDB with a pool of mysql2 that reads types differently", async () => {
    const uri = await newMysqlDatabase("conformance_pool")
    const pool = createPool({
      uri,
      timezone: "+05:30",
      bigNumberStrings: true,
      rowsAsArray: true,
      nestTables: true,
      namedPlaceholders: true,
      typeCast: () => "changed",
    })
    return mysql({ pool })
  })
  conforms("MariaDB with one connection of mysql2/promise", async () => {
    const uri = await newMysqlDatabase("conformance_promises")
    return mysql({ pool: createPromisePool({ uri, connectionLimit: 1 }), prefix: "auth_" })
  })
})
