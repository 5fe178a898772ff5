import {
  comparedRecords,
  indexEntry,
  pageOf,
  type RecordChange,
  type RecordPage,
  type RecordStore,
  type StoredRecord,
} from "@latchkey/core/adapters"
import { exactKey, isStorable } from "./keys.js"
import { fieldsOf } from "./rows.js"
import type { Store } from "./store.js"

/**
 * Where modules keep their data, one key for each record. There are no indexes, so records are found by reading all of their kind.
 */
export function recordStore(store: Store): RecordStore {
  const commit = (changes: readonly RecordChange[]) =>
    store.items.commit(changes.map((change) => itemChange(store, change)))
  const compared = comparedRecords({ read: (kind, key) => readRecord(store, kind, key), commit })
  const { get, insert, swap, take, bump, remove, batch } = compared
  const turn = <T>(work: () => T | PromiseLike<T>): Promise<T> => inTurn(store, async () => work())
  return {
    get atomic() {
      return store.items.isAtomic() ? "global" : "process"
    },
    get: (...args) => turn(() => get(...args)),
    insert: (...args) => turn(() => insert(...args)),
    swap: (...args) => turn(() => swap(...args)),
    take: (...args) => turn(() => take(...args)),
    bump: (...args) => turn(() => bump(...args)),
    remove: (...args) => turn(() => remove(...args)),
    batch: (...args) => turn(() => batch(...args)),
    find: async (kind, index, page) => {
      const [field, value] = indexEntry(index)
      return pageWhere(store, kind, page, (record) => record[field] === value)
    },
    list: (kind, page) => pageWhere(store, kind, page, () => true),
    removeOwned: async (owner) => {
      for await (const { kind, key, ...record } of recordsBelow(store)) {
        if (record.owner === owner) await turn(() => batch(owner, [{ write: "remove", kind, key }], new Date(0)))
      }
    },
  }
}

async function pageWhere(
  store: Store,
  kind: string,
  { limit, after }: { readonly limit: number; readonly after?: string },
  matches: (record: StoredRecord) => boolean,
): Promise<RecordPage> {
  const found: StoredRecord[] = []
  for await (const record of recordsBelow(store, kind))
    if ((after === undefined || record.key > after) && matches(record)) found.push(record)
  const sorted = found.toSorted((one, other) => (one.key < other.key ? -1 : 1))
  return pageOf(sorted, limit)
}

/** Deletes what expired before a date, and returns the number. */
export async function sweepRecords(store: Store, before: Date, signal: AbortSignal | undefined): Promise<number> {
  let deleted = 0
  for await (const record of recordsBelow(store)) {
    if (signal?.aborted) break
    if (record.expiresAt === null || record.expiresAt >= before) continue
    const change = itemChange(store, { ...record, before: record, after: null })
    if (await inTurn(store, () => store.items.commit([change]))) deleted += 1
  }
  return deleted
}

/** All adapters over a storage share the lock. The first turn finishes what a process that ended began. */
function inTurn<T>(store: Store, work: () => Promise<T>): Promise<T> {
  return store.lock(["records"], async () => {
    await store.items.recover()
    return work()
  })
}

function itemChange(store: Store, { before, after, ...name }: RecordChange) {
  if (!isStorable(name.key)) {
    throw new TypeError("A key contains a lone surrogate, which can't be stored. Pass another one.")
  }
  return {
    key: keyOf(store, name),
    ...(before && { before: valueOf(before) }),
    ...(after && { after: valueOf(after) }),
  }
}

async function readRecord(store: Store, kind: string, key: string): Promise<StoredRecord | null> {
  if (!isStorable(key)) return null
  return recordOf(await store.items.read(keyOf(store, { kind, key })))
}

async function* recordsBelow(store: Store, kind?: string): AsyncIterable<StoredRecord> {
  const prefix = kind === undefined ? store.recordPrefix : `${exactKey(store.recordPrefix, [kind])}:`
  for await (const { value } of store.items.scan(prefix)) {
    const record = recordOf(value)
    if (record) yield record
  }
}

/** With a last part, so that no key of a record is below the key of another one, which can't be in files. */
function keyOf({ recordPrefix }: Store, { kind, key }: Pick<StoredRecord, "kind" | "key">): string {
  return `${exactKey(recordPrefix, [kind, key])}:=`
}

/** The fields in the same order each time, because Redis compares the text. */
function valueOf({ kind, key, owner, index1, index2, data, version, expiresAt }: StoredRecord): object {
  return { kind, key, owner, index1, index2, data, version, expiresAt: expiresAt === null ? null : expiresAt.getTime() }
}

function recordOf(value: unknown): StoredRecord | null {
  const fields = fieldsOf(value)
  if (typeof fields?.["version"] !== "number") return null
  const { kind, key, owner, index1, index2, data, version, expiresAt } = fields
  const time = typeof expiresAt === "number" ? new Date(expiresAt) : null
  // `valueOf` has written it.
  return { kind, key, owner, index1, index2, data, version, expiresAt: time } as StoredRecord
}
