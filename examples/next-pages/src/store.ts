import type { SqlAdapter } from "@latchkey/sql"
import { sqlite } from "@latchkey/sql/sqlite"

let opened: SqlAdapter | undefined

/** Opens the database and creates its tables on first use, because `next build` has none. */
export function adapter(): SqlAdapter {
  opened ??= sqlite(process.env.DATABASE_FILE ?? "example.db")
  return opened
}
