import { readFileSync, writeFileSync } from "node:fs"
import type { Row } from "./measure.js"

const file = new URL("results.json", import.meta.url)

/** The rows of the table in docs/evidence/adapters.md. `npm run conformance` writes them. */
export function committedRows(): readonly Row[] {
  const rows: readonly Row[] = JSON.parse(readFileSync(file, "utf8"))
  return rows
}

export function committedRow({ name, database }: { readonly name: string; readonly database: string }): Row {
  const row = committedRows().find((each) => each.adapter === name && each.database === database)
  if (row === undefined)
    throw new Error(`results.json has no row for ${name} over ${database}. Run npm run conformance`)
  return row
}

/** Replaces the row, or adds it. A machine without a server keeps the rows that need it. */
export function writeRow(row: Row, order: readonly { readonly name: string; readonly database: string }[]): void {
  const rows = [row, ...committedRows()]
  const sorted = order.flatMap(
    ({ name, database }) => rows.find((each) => each.adapter === name && each.database === database) ?? [],
  )
  writeFileSync(file, `${JSON.stringify(sorted, undefined, 2)}\n`)
}
