import { and, eq, type SQL, sql } from "drizzle-orm"
import { toColumn } from "./columns.js"
import type { Columns, Dialect, Row, Select } from "./database.js"

/**
 * The condition for rows with exactly these values. `undefined`: no row can have them.
 *
 * @throws Error without a value, because the query would be about all rows
 */
export function matching(dialect: Dialect, columns: Columns, key: Row): SQL | undefined {
  const conditions: SQL[] = []
  for (const [name, given] of Object.entries(key)) {
    const column = columns[name]
    const value = column && toColumn(column, given)
    if (column === undefined || value === undefined) return undefined
    conditions.push(eq(column, value))
    // The usual collations of MySQL ignore case, accents and trailing spaces. The first condition uses the index.
    if (dialect === "mysql" && typeof value === "string") {
      conditions.push(sql`cast(convert(${column} using utf8mb4) as binary) = cast(${value} as binary)`)
    }
  }
  const all = and(...conditions)
  if (all === undefined) throw new Error("The key is empty. Pass the values that identify the row.")
  return all
}

/** The condition that a text is still the same. */
export function unchanged(dialect: Dialect, columns: Columns, name: string, before: unknown): SQL {
  const condition = before === null || before === undefined ? undefined : matching(dialect, columns, { [name]: before })
  return condition ?? sql`${columns[name]} is null`
}

/** With a cache of Drizzle, a session could outlive its sign-out. */
export function uncached(select: Select): Select {
  return select.$withCache?.(false) ?? select
}
