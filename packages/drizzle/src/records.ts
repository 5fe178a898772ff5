import {
  type RecordStore,
  recordsIn,
  type RecordTable,
  type RecordWrite,
  pageOf,
  type StoredRecord,
  writeAllOrNone,
  writeRecord,
} from "@latchkey/core/adapters"
import { asc, gt, lte, sql } from "drizzle-orm"
import type { Dialect, Row, Select } from "./database.js"
import { columnOf, isCurrent, rowOf } from "./record-rows.js"
import { batchAtOnce } from "./records-batch.js"
import type { Store } from "./store.js"
import type { Model } from "./tables.js"

/** Where modules keep their data, in a table. */
export function createRecordStore(store: Store, model: Model): RecordStore {
  return recordsIn(tableIn(store, model), async (owner, writes, now) =>
    store.hasTransactions
      ? writeAllOrNone<RecordWrite, Store>(writes, store.transact, (write, inside) =>
          writeRecord(tableIn(inside, model), { write, now, owner }),
        )
      : batchAtOnce(store, model, { owner, writes, now }),
  )
}

function tableIn(store: Store, model: Model): RecordTable {
  return {
    find: async (where) => (await store.find(model, where)).map(recordOf),
    findPage: async (where, { limit, after }) => {
      const key = columnOf(model, "key")
      const part = (select: Select) => select.orderBy(asc(key)).limit(limit + 1)
      const rows = await store.find(model, where, part, after === undefined ? undefined : gt(key, after))
      return pageOf(rows.map(recordOf), limit)
    },
    insert: (record) => store.insert(model, rowOf(record), ["kind", "key"]),
    replace: (where, record, now) => store.change(model, where, rowOf(record), isCurrent(model, now)),
    discard: (where) => store.discard(model, where),
    remove: (where) => store.remove(model, where),
    removeExpired: (where, now) => store.remove(model, where, lte(columnOf(model, "expiresAt"), now.getTime())),
  }
}

function recordOf(row: Row): StoredRecord {
  const expiresAt = row["expiresAt"]
  const record = {
    ...row,
    version: Number(row["version"]),
    expiresAt: isNone(expiresAt) ? null : new Date(Number(expiresAt)),
  }
  // `modelsOf` checked the columns.
  return record as unknown as StoredRecord
}

function isNone(value: unknown): boolean {
  return value === null || value === undefined
}

/** Asks the catalog until the table exists: in PostgreSQL, a query of a missing table ends the transaction. */
export type HasRecords = (store: Store) => Promise<boolean>

/** An application passes the table from the release that brings it, but may not have created it yet. */
export function recordsExist(dialect: Dialect, { table, name }: Model): HasRecords {
  const schema: unknown = Reflect.get(table, Symbol.for("drizzle:Schema"))
  const places = {
    pg: sql`table_schema = ${schema ?? sql`current_schema()`} and table_name = ${name}`,
    mysql: sql`table_schema = ${schema ?? sql`database()`} and table_name = ${name}`,
    sqlite: sql`type = 'table' and name = ${name}`,
  }
  let isKnown = false
  return async ({ db, read }) => {
    if (isKnown) return true
    const from = dialect === "sqlite" ? sql`sqlite_master` : sql`information_schema.tables`
    const rows = await read(() => db.select({ found: sql`1` }).from(from).where(places[dialect]))
    isKnown = rows.length > 0
    return isKnown
  }
}
