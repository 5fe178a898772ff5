import { overMariadb } from "./mariadb.js"
import { overMongodb } from "./mongodb.js"
import { overPostgres } from "./postgres.js"
import { overPrisma } from "./prisma.js"
import type { Entry } from "./published.js"
import { overSqlite } from "./sqlite.js"
import { overStores } from "./stores.js"

/** Every published adapter that this machine can run. The order is the one of the table in docs/evidence/adapters.md. */
export const published: readonly Entry[] = [
  ...overPostgres,
  ...overPrisma,
  ...overMariadb,
  ...overSqlite,
  ...overStores,
  ...overMongodb,
]
