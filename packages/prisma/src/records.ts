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
import type { Delegate, Fields, Row } from "./client.js"
import { UniqueViolation } from "./failures.js"
import type { Store } from "./store.js"

type Transact = Required<Store>["transact"]

/** Where modules keep their data, in a table. */
export function createRecordStore(store: Store, model: Delegate, transact: NonNullable<Transact>): RecordStore {
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
        if (!found || (await store.remove(model, { kind, key, version: found.version, data: found.data })) > 0)
          return found
      }
    },
    bump: async (bump) => bumpBySwapping(basics, bump),
    remove: async (kind, key) => void (await store.remove(model, { kind, key })),
    batch: async (owner, writes, now) => {
      assertBatch(owner, writes)
      return batchInTransaction(transact, { owner, writes: inLockOrder(writes), now })
    },
    removeOwned: (owner) => removeRecords(store, model, owner),
  }
}

async function findPage(
  store: Store,
  model: Delegate,
  where: Row,
  { limit, after }: { readonly limit: number; readonly after?: string },
): Promise<RecordPage> {
  const more = after === undefined ? {} : { key: { gt: after } }
  const rows = await store.find(model, where, { orderBy: { key: "asc" }, take: limit + 1 }, more)
  return pageOf(rows.map(recordOf), limit)
}

/** One by one, because the usual collations of MySQL also find the records of similar owners. */
export async function removeRecords(store: Store, model: Delegate, owner: string): Promise<void> {
  for (const { kind, key } of await store.find(model, { owner })) await store.remove(model, { kind, key, owner })
}

/** A failed write rolls back the transaction. */
const undone = new Error("A write of the batch is impossible.")

interface RecordBatch {
  readonly owner: string
  readonly writes: readonly RecordWrite[]
  readonly now: Date
}

async function batchInTransaction(
  transact: NonNullable<Transact>,
  { owner, writes, now }: RecordBatch,
): Promise<boolean> {
  try {
    await transact(async (inside) => {
      const { record: model } = inside.models
      for (const write of writes) if (!model || !(await runWrite(inside, model, { write, now, owner }))) throw undone
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

async function runWrite(store: Store, model: Delegate, { write, now, owner }: TimedWrite): Promise<boolean> {
  const owned = owner === undefined ? {} : { owner }
  if (write.write === "insert") return insert(store, model, write.record, now)
  if (write.write === "remove") {
    await store.remove(model, { kind: write.kind, key: write.key, ...owned })
    return true
  }
  const { kind, key, version } = write.record
  const isCurrent = { OR: [{ expiresAt: null }, { expiresAt: { gt: timeOf(now) } }] }
  return store.change(
    model,
    { kind, key, version, ...owned },
    rowOf({ ...write.record, version: version + 1 }),
    isCurrent,
  )
}

async function insert(store: Store, model: Delegate, record: NewRecord, now: Date): Promise<boolean> {
  const { kind, key } = record
  await store.remove(model, { kind, key }, { expiresAt: { lte: timeOf(now) } })
  try {
    await store.insert(model, rowOf({ ...record, version: 1 }))
    return true
  } catch (error) {
    if (error instanceof UniqueViolation) return false
    throw error
  }
}

/** Milliseconds since 1970, because the clock of the caller counts and not that of the database. */
function timeOf(date: Date): bigint {
  return BigInt(date.getTime())
}

function rowOf({ expiresAt, ...record }: StoredRecord): Fields {
  return { ...record, expiresAt: expiresAt && timeOf(expiresAt) }
}

function recordOf(row: Row): StoredRecord {
  const { kind, key, owner, index1, index2, data, version, expiresAt } = row
  const time = expiresAt === null || expiresAt === undefined ? null : new Date(Number(expiresAt))
  // `modelsOf` checked the fields.
  return { kind, key, owner, index1, index2, data, version, expiresAt: time } as StoredRecord
}

/** Whether the table exists. The model is in the schema before the migration has run. */
export interface HasRecords {
  /** Asks the database until it does, outside of transactions: in PostgreSQL, a query of a missing table ends them. */
  ask(): Promise<boolean>
  /** The last answer. */
  readonly isKnown: boolean
}

export function recordsExist(store: Store): HasRecords {
  const { record: model } = store.models
  const known = { isKnown: false }
  return {
    get isKnown() {
      return known.isKnown
    },
    ask: async () => {
      if (known.isKnown || !model) return known.isKnown
      try {
        await store.run(() => model.findMany({ where: { kind: "" }, take: 1 }))
        known.isKnown = true
      } catch (error) {
        // https://www.prisma.io/docs/orm/reference/error-reference#p2021
        if (Reflect.get(Object(Reflect.get(Object(error), "cause")), "code") !== "P2021") throw error
      }
      return known.isKnown
    },
  }
}
