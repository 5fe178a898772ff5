import {
  pageOf,
  type RecordStore,
  recordsIn,
  type RecordTable,
  type RecordWrite,
  type StoredRecord,
  writeAllOrNone,
  writeRecord,
} from "@latchkey/core/adapters"
import type { Delegate, Fields, Row } from "./client.js"
import type { Store } from "./store.js"

type Transact = NonNullable<Store["transact"]>

/** Where modules keep their data, in a table. */
export function createRecordStore(store: Store, model: Delegate, transact: Transact): RecordStore {
  const records = recordsIn(tableIn(store, model), (owner, writes, now) =>
    writeAllOrNone<RecordWrite, Store>(writes, transact, async (write, inside) => {
      const { record } = inside.models
      return record !== undefined && writeRecord(tableIn(inside, record), { write, now, owner })
    }),
  )
  return { ...records, removeOwned: (owner) => removeRecords(store, model, owner) }
}

function tableIn(store: Store, model: Delegate): RecordTable {
  return {
    find: async (where) => (await store.find(model, where)).map(recordOf),
    findPage: async (where, { limit, after }) => {
      const more = after === undefined ? {} : { key: { gt: after } }
      const rows = await store.find(model, where, { orderBy: { key: "asc" }, take: limit + 1 }, more)
      return pageOf(rows.map(recordOf), limit)
    },
    insert: (record) => store.insert(model, rowOf(record)),
    replace: (where, record, now) => {
      const isCurrent = { OR: [{ expiresAt: null }, { expiresAt: { gt: timeOf(now) } }] }
      return store.change(model, where, rowOf(record), isCurrent)
    },
    discard: async (where) => (await store.remove(model, where)) > 0,
    remove: (where) => store.remove(model, where),
    removeExpired: (where, now) => store.remove(model, where, { expiresAt: { lte: timeOf(now) } }),
  }
}

/** One by one, because the usual collations of MySQL also find the records of similar owners. */
export async function removeRecords(store: Store, model: Delegate, owner: string): Promise<void> {
  for (const { kind, key } of await store.find(model, { owner })) await store.remove(model, { kind, key, owner })
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
