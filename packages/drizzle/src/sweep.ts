import { type SweepOptions, type Swept, sweepTable } from "@latchkey/core/adapters"
import { type Column, lt, type SQL, sql } from "drizzle-orm"
import type { Store } from "./store.js"
import type { Model } from "./tables.js"
import { affectedRows } from "./writer.js"

/**
 * Deletes expired rows.
 *
 * @param hasRecords whether the table of records exists
 */
export async function sweep(store: Store, hasRecords: boolean, options: SweepOptions = {}): Promise<Swept> {
  const { sessions, verificationTokens, rateLimits, records } = store.models
  const { before = new Date() } = options
  const run = async (model: Model, key: readonly string[], name: string, end: Date | number) => {
    const condition = expired(model, name, end)
    const deleteBatch = async (batchSize: number) => {
      const rows = await deleteRows(store, { model, key, condition, batchSize })
      return { found: rows, deleted: rows }
    }
    return sweepTable({ name: model.name, deleteBatch }, options)
  }
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

async function deleteRows({ db, dialect, write }: Store, batch: Batch): Promise<number> {
  const { model, key, condition, batchSize } = batch
  const all = db.delete(model.table)
  if (dialect === "mysql") return affectedRows(await write(() => all.where(condition).limit(batchSize)))
  const columns = key.flatMap((name): Column[] => (model.columns[name] ? [model.columns[name]] : []))
  const names = sql.join(columns, sql`, `)
  // The condition again, because a session may have been extended meanwhile.
  const rows = sql`(${names}) in (select ${names} from ${model.table} where ${condition} limit ${batchSize}) and ${condition}`
  return (await write(() => all.where(rows).returning())).length
}
