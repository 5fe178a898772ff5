import {
  assertBatch,
  assertRecord,
  bumpBySwapping,
  inLockOrder,
  type NewRecord,
  pageOf,
  type RecordPage,
  type RecordStore,
  type RecordWrite,
  type StoredRecord,
} from "@latchkey/core/adapters"
import { asc, gt, lte, sql } from "drizzle-orm"
import type { Dialect, Row, Select } from "./database.js"
import { UniqueViolation } from "./failures.js"
import { columnOf, isCurrent, type RecordBatch, rowOf } from "./record-rows.js"
import { batchAtOnce } from "./records-batch.js"
import type { Store } from "./store.js"
import type { Model } from "./tables.js"

/** Where modules keep their data, in a table. */
export function createRecordStore(store: Store, model: Model): RecordStore {
  const writeOne = async (write: RecordWrite, now: Date) => runWrite(store, model, { write, now })
  const basics: Pick<RecordStore, "get" | "insert" | "swap"> = {
    get: async (kind, key) => {
      const [row] = await store.find(model, { kind, key })
      return row ? recordOf(row) : null
    },
    insert: async (record, now) => {
      assertRecord(record)
      return writeOne({ write: "insert", record }, now)
    },
    swap: async (record, now) => {
      assertRecord(record)
      return writeOne({ write: "swap", record }, now)
    },
  }
  return {
    ...basics,
    atomic: "global",
    find: (kind, index, page) => findPage(store, model, { kind, ...index }, page),
    list: (kind, page) => findPage(store, model, { kind }, page),
    take: async (kind, key) => {
      for (;;) {
        const found = await basics.get(kind, key)
        // Another call may have replaced it. A replacement starts with the same version, so its data is compared too.
        if (!found || (await store.discard(model, { kind, key, version: found.version, data: found.data })))
          return found
      }
    },
    bump: async (bump) => bumpBySwapping(basics, bump),
    remove: (kind, key) => store.remove(model, { kind, key }),
    batch: async (owner, writes, now) => {
      assertBatch(owner, writes)
      const batch = { owner, writes: inLockOrder(writes), now }
      return store.hasTransactions ? batchInTransaction(store, model, batch) : batchAtOnce(store, model, batch)
    },
    removeOwned: (owner) => store.remove(model, { owner }),
  }
}

async function findPage(
  store: Store,
  model: Model,
  where: Row,
  { limit, after }: { readonly limit: number; readonly after?: string },
): Promise<RecordPage> {
  const key = columnOf(model, "key")
  const part = (select: Select) => select.orderBy(asc(key)).limit(limit + 1)
  const rows = await store.find(model, where, part, after === undefined ? undefined : gt(key, after))
  return pageOf(rows.map(recordOf), limit)
}

/** A failed write rolls back the transaction. */
const undone = new Error("A write of the batch is impossible.")

async function batchInTransaction(store: Store, model: Model, { owner, writes, now }: RecordBatch): Promise<boolean> {
  try {
    await store.transact(async (inside) => {
      for (const write of writes) if (!(await runWrite(inside, model, { write, now, owner }))) throw undone
    })
    return true
  } catch (error) {
    if (error === undone) return false
    throw error
  }
}

/** @param owner if it's part of a batch */
interface TimedWrite {
  readonly write: RecordWrite
  readonly now: Date
  readonly owner?: string
}

async function runWrite(store: Store, model: Model, { write, now, owner }: TimedWrite): Promise<boolean> {
  const owned = owner === undefined ? {} : { owner }
  if (write.write === "insert") return insert(store, model, write.record, now)
  if (write.write === "remove") {
    await store.remove(model, { kind: write.kind, key: write.key, ...owned })
    return true
  }
  const { kind, key, version } = write.record
  const changes = rowOf({ ...write.record, version: version + 1 })
  return store.change(model, { kind, key, version, ...owned }, changes, isCurrent(model, now))
}

async function insert(store: Store, model: Model, record: NewRecord, now: Date): Promise<boolean> {
  const { kind, key } = record
  await store.remove(model, { kind, key }, lte(columnOf(model, "expiresAt"), now.getTime()))
  try {
    await store.insert(model, rowOf({ ...record, version: 1 }), ["kind", "key"])
    return true
  } catch (error) {
    if (error instanceof UniqueViolation) return false
    throw error
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
