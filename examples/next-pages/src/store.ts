import type { SqlAdapter } from "@latchkey/sql"
import { sqlite } from "@latchkey/sql/sqlite"

let opened: SqlAdapter | undefined

/** Opened at first use: a build has no database. The tables are made then, too. */
export function adapter(): SqlAdapter {
  opened ??= sqlite(process.env.DATABASE_FILE ?? "example.db")
  return opened
}
