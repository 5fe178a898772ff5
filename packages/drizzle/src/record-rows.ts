import type { RecordWrite, StoredRecord } from "@latchkey/core/adapters"
import { type Column, type SQL, sql } from "drizzle-orm"
import type { Row } from "./database.js"
import type { Model } from "./tables.js"

export interface RecordBatch {
  readonly owner: string
  readonly writes: readonly RecordWrite[]
  readonly now: Date
}

export function isCurrent(model: Model, now: Date): SQL {
  const expiresAt = columnOf(model, "expiresAt")
  return sql`(${expiresAt} is null or ${expiresAt} > ${now.getTime()})`
}

/** Milliseconds since 1970, because the clock of the caller counts and not that of the database. */
export function rowOf({ expiresAt, ...record }: StoredRecord): Row {
  return { ...record, expiresAt: expiresAt === null ? null : expiresAt.getTime() }
}

export function columnOf({ columns, name }: Model, field: string): Column {
  const column = columns[field]
  if (column === undefined) throw new Error(`The table \`${name}\` has no column \`${field}\`. Pass the whole table.`)
  return column
}
