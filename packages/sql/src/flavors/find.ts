import type { Flavor } from "./flavor.js"
import { mysqlFlavor } from "./mysql.js"
import { postgresFlavor } from "./postgres.js"
import { sqliteFlavor } from "./sqlite.js"

/**
 * Recognizes the database by what the dialect says about it. `instanceof` fails if the application has another copy of Kysely,
 * and a dialect of the application has classes of its own.
 *
 * @throws Error if it's none of the supported ones, such as SQL Server
 */
export function findFlavor(adapter: object): Flavor {
  const returning = Reflect.get(adapter, "supportsReturning") === true
  if (Reflect.get(adapter, "supportsTransactionalDdl") !== true) return returning ? sqliteFlavor : mysqlFlavor
  if (returning) return postgresFlavor
  throw new Error("The dialect isn't supported. Pass a dialect of PostgreSQL, SQLite, MySQL or MariaDB.")
}
