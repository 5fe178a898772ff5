import { type Column, lt, type SQL, sql } from "drizzle-orm"
import type { Store } from "./store.js"
import type { Model } from "./tables.js"
import { affectedRows } from "./writer.js"

/** Options of `sweep`. */
export interface SweepOptions {
  /** Deletes what expired before this date. @default now */
  readonly before?: Date
  /** Rows per statement. @default 1000 */
  readonly batchSize?: number
  /** Milliseconds between two statements. @default 0 */
  readonly pauseMs?: number
  /** Stops between two statements. */
  readonly signal?: AbortSignal
  /** Called after each statement. */
  onBatch?(deleted: { readonly table: string; readonly rows: number }): void
}

/** The numbers of deleted rows. */
export interface Swept {
  readonly sessions: number
  readonly verificationTokens: number
  readonly rateLimits: number
  readonly records: number
}

/** Deletes expired rows in batches, so that no statement locks many rows. */
/** @param hasRecords whether the table of records exists */
export async function sweep(store: Store, hasRecords: boolean, options: SweepOptions = {}): Promise<Swept> {
  const { sessions, verificationTokens, rateLimits, records } = store.models
  const { before = new Date(), batchSize = 1000 } = options
  if (!Number.isInteger(batchSize) || batchSize < 1) {
    throw new RangeError("`batchSize` isn't a positive integer. Pass the number of rows per statement.")
  }
  const run = (model: Model, key: readonly string[], name: string, end: Date | number) =>
    sweepTable(store, { model, key, condition: expired(model, name, end), batchSize }, options)
  return {
    sessions: await run(sessions, ["sessionToken"], "expires", before),
    verificationTokens: await run(verificationTokens, ["identifier", "token"], "expires", before),
    rateLimits: rateLimits ? await run(rateLimits, ["key"], "resets", before.getTime()) : 0,
    records: records && hasRecords ? await run(records, ["kind", "key"], "expiresAt", before.getTime()) : 0,
  }
}

interface Batch {
  readonly model: Model
  readonly key: readonly string[]
  readonly condition: SQL
  readonly batchSize: number
}

function expired({ columns }: Model, name: string, before: Date | number): SQL {
  const column = columns[name]
  if (column === undefined) throw new Error(`The table has no column \`${name}\`. Pass the whole table.`)
  return lt(column, before)
}

async function sweepTable(store: Store, batch: Batch, options: SweepOptions): Promise<number> {
  const { pauseMs = 0, signal, onBatch } = options
  let total = 0
  const isStopped = () => signal?.aborted === true
  while (!isStopped()) {
    const rows = await deleteBatch(store, batch)
    total += rows
    if (rows > 0) onBatch?.({ table: batch.model.name, rows })
    if (rows < batch.batchSize) break
    if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  return total
}

async function deleteBatch({ db, dialect, write }: Store, batch: Batch): Promise<number> {
  const { model, key, condition, batchSize } = batch
  const all = db.delete(model.table)
  if (dialect === "mysql") return affectedRows(await write(() => all.where(condition).limit(batchSize)))
  const columns = key.flatMap((name): Column[] => (model.columns[name] ? [model.columns[name]] : []))
  const names = sql.join(columns, sql`, `)
  // The condition again, because a session may have been extended meanwhile.
  const rows = sql`(${names}) in (select ${names} from ${model.table} where ${condition} limit ${batchSize}) and ${condition}`
  return (await write(() => all.where(rows).returning())).length
}
