import { assertBatch, assertRecord, bumpBySwapping, inLockOrder } from "../model/record-rules.js"
import type { RecordPage, RecordStore, RecordWrite, StoredRecord } from "../model/records.js"
import { UniqueViolation } from "./stored-values.js"

/** What {@link checkedWrites} needs. */
export interface RecordAccess {
  get(kind: string, key: string): Promise<StoredRecord | null>
  /** Makes one write. `false`: its condition doesn't hold. */
  write(write: RecordWrite, now: Date): Promise<boolean>
}

/**
 * The methods for one record, of a store that makes each write in one atomic step.
 *
 * @example
 * ```ts
 * import { checkedWrites, type RecordAccess } from "@latchkey/core/adapters"
 * export const methods = (access: RecordAccess) => checkedWrites(access)
 * ```
 */
export function checkedWrites({ get, write }: RecordAccess): Pick<RecordStore, "get" | "insert" | "swap" | "bump"> {
  const basics: Pick<RecordStore, "get" | "insert" | "swap"> = {
    get,
    insert: async (record, now) => {
      assertRecord(record)
      return write({ write: "insert", record }, now)
    },
    swap: async (record, now) => {
      assertRecord(record)
      return write({ write: "swap", record }, now)
    },
  }
  return { ...basics, bump: (bump) => bumpBySwapping(basics, bump) }
}

/** A failed write rolls back the transaction. */
const undone = new Error("A write of the batch is impossible.")

/**
 * Makes writes in a transaction. `false`: one of them was impossible, so all are undone.
 *
 * @param transact calls `work` in a transaction, and rolls it back if that rejects
 * @param writeOne returns whether the write was possible
 * @example
 * ```ts
 * import { type RecordWrite, writeAllOrNone } from "@latchkey/core/adapters"
 * export const batch = (writes: readonly RecordWrite[]) =>
 *   writeAllOrNone(writes, (work) => work("transaction"), async (write, transaction) => write.write !== "remove")
 * ```
 */
export async function writeAllOrNone<Write, Inside>(
  writes: readonly Write[],
  transact: (work: (inside: Inside) => Promise<void>) => Promise<void>,
  writeOne: (write: Write, inside: Inside) => Promise<boolean>,
): Promise<boolean> {
  try {
    await transact(async (inside) => {
      for (const write of writes) if (!(await writeOne(write, inside))) throw undone
    })
    return true
  } catch (error) {
    if (error === undone) return false
    throw error
  }
}

/** Some fields of records, which all have to be equal. */
export type RecordKey = Partial<Pick<StoredRecord, "kind" | "key" | "owner" | "index1" | "index2" | "data" | "version">>

/** A table with a column for each field of a record. */
export interface RecordTable {
  find(where: RecordKey): Promise<StoredRecord[]>
  /** In the order of `key`. */
  findPage(where: RecordKey, page: { readonly limit: number; readonly after?: string }): Promise<RecordPage>
  /** @throws UniqueViolation if there is one with this kind and key */
  insert(record: StoredRecord): Promise<unknown>
  /** Replaces a record that hasn't expired. Returns whether there was one. */
  replace(where: RecordKey, record: StoredRecord, now: Date): Promise<boolean>
  /** Deletes a record. Returns whether there was one. */
  discard(where: RecordKey): Promise<boolean>
  remove(where: RecordKey): Promise<unknown>
  removeExpired(where: RecordKey, now: Date): Promise<unknown>
}

/** A write to a table, with the owner that a batch requires. */
export interface TimedWrite {
  readonly write: RecordWrite
  readonly now: Date
  readonly owner?: string
}

/**
 * A store of records in a table of a database that several processes use.
 *
 * @param batch makes all writes or none, and returns whether it did
 * @example
 * ```ts
 * import { type RecordStore, type RecordTable, recordsIn } from "@latchkey/core/adapters"
 * export const records = (table: RecordTable, batch: RecordStore["batch"]) => recordsIn(table, batch)
 * ```
 */
export function recordsIn(table: RecordTable, batch: RecordStore["batch"]): RecordStore {
  const get = async (kind: string, key: string) => (await table.find({ kind, key }))[0] ?? null
  return {
    ...checkedWrites({ get, write: (write, now) => writeRecord(table, { write, now }) }),
    atomic: "global",
    find: (kind, index, page) => table.findPage({ kind, ...index }, page),
    list: (kind, page) => table.findPage({ kind }, page),
    take: async (kind, key) => {
      for (;;) {
        const found = await get(kind, key)
        // Another call may have replaced it. A replacement starts with the same version, so its data is compared too.
        if (!found || (await table.discard({ kind, key, version: found.version, data: found.data }))) return found
      }
    },
    remove: async (kind, key) => void (await table.remove({ kind, key })),
    batch: async (owner, writes, now) => {
      assertBatch(owner, writes)
      return batch(owner, inLockOrder(writes), now)
    },
    removeOwned: async (owner) => void (await table.remove({ owner })),
  }
}

/**
 * Makes one write. `false`: its condition doesn't hold.
 *
 * @example
 * ```ts
 * import { type RecordTable, type TimedWrite, writeRecord } from "@latchkey/core/adapters"
 * export const write = (table: RecordTable, timed: TimedWrite) => writeRecord(table, timed)
 * ```
 */
export async function writeRecord(table: RecordTable, { write, now, owner }: TimedWrite): Promise<boolean> {
  const owned = owner === undefined ? {} : { owner }
  if (write.write === "insert") {
    const { kind, key } = write.record
    await table.removeExpired({ kind, key }, now)
    return isInserted(() => table.insert({ ...write.record, version: 1 }))
  }
  if (write.write === "remove") {
    await table.remove({ kind: write.kind, key: write.key, ...owned })
    return true
  }
  const { kind, key, version } = write.record
  return table.replace({ kind, key, version, ...owned }, { ...write.record, version: version + 1 }, now)
}

async function isInserted(insert: () => Promise<unknown>): Promise<boolean> {
  try {
    await insert()
    return true
  } catch (error) {
    if (error instanceof UniqueViolation) return false
    throw error
  }
}
