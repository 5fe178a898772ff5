import {
  assertBatch,
  assertRecord,
  bumpBySwapping,
  isExpiredRecord,
  type NewRecord,
  pageOf,
  type RecordStore,
  type RecordWrite,
  type StoredRecord,
} from "@latchkey/core/adapters"
import type { Change } from "./items.js"
import { exactKey, isStorable } from "./keys.js"
import { fieldsOf } from "./rows.js"
import type { Store } from "./store.js"

/**
 * Where modules keep their data, one key for each record. Each step reads what it needs, and writes if nothing of that has changed. Records
 * are found by reading all of their kind, because there are no indexes.
 */
export function recordStore(store: Store): RecordStore {
  const { items } = store
  const writeAll = async (writes: readonly RecordWrite[], now: Date, owner?: string): Promise<boolean> => {
    for (const { key } of writes.map(targetOf)) assertKey(key)
    return inTurn(store, async () => {
      for (;;) {
        const changes = await changesOf(store, writes, { now, owner })
        if (!changes) return false
        if (await items.commit(changes)) return true
      }
    })
  }
  const basics: Pick<RecordStore, "get" | "insert" | "swap"> = {
    get: async (kind, key) => inTurn(store, () => readRecord(store, kind, key)),
    insert: async (record, now) => {
      assertRecord(record)
      return writeAll([{ write: "insert", record }], now)
    },
    swap: async (record, now) => {
      assertRecord(record)
      return writeAll([{ write: "swap", record }], now)
    },
  }
  return {
    ...basics,
    get atomic() {
      return items.isAtomic() ? "global" : "process"
    },
    find: async (kind, index, { limit, after }) => {
      const [[field = "", value] = []] = Object.entries(index)
      const found: StoredRecord[] = []
      for await (const record of recordsBelow(store, kind)) {
        if (Reflect.get(record, field) === value && (after === undefined || record.key > after)) found.push(record)
      }
      const sorted = found.toSorted((one, other) => (one.key < other.key ? -1 : 1))
      return pageOf(sorted, limit)
    },
    take: async (kind, key) =>
      inTurn(store, async () => {
        for (;;) {
          const found = await readRecord(store, kind, key)
          if (!found || (await items.commit([{ key: keyOf(store, found), before: valueOf(found) }]))) return found
        }
      }),
    bump: async (bump) => bumpBySwapping(basics, bump),
    remove: async (kind, key) => {
      if (isStorable(key)) await writeAll([{ write: "remove", kind, key }], new Date(0))
    },
    batch: async (owner, writes, now) => {
      assertBatch(owner, writes)
      return writeAll(writes, now, owner)
    },
    removeOwned: async (owner) => {
      for await (const record of recordsBelow(store)) {
        if (record.owner === owner) await writeAll([{ ...record, write: "remove" }], new Date(0), owner)
      }
    },
  }
}

/** Deletes what expired before a date, and returns the number. */
export async function sweepRecords(store: Store, before: Date, signal: AbortSignal | undefined): Promise<number> {
  let deleted = 0
  for await (const record of recordsBelow(store)) {
    if (signal?.aborted) break
    if (record.expiresAt === null || record.expiresAt >= before) continue
    const change = { key: keyOf(store, record), before: valueOf(record) }
    if (await inTurn(store, () => store.items.commit([change]))) deleted += 1
  }
  return deleted
}

/** Finishes what a process that ended began. All adapters over a storage share the lock. */
function inTurn<T>(store: Store, work: () => Promise<T>): Promise<T> {
  return store.lock(["records"], async () => {
    await store.items.recover()
    return work()
  })
}

interface Terms {
  readonly now: Date
  readonly owner: string | undefined
}

/** `undefined`: one of the writes is impossible. */
async function changesOf(
  store: Store,
  writes: readonly RecordWrite[],
  terms: Terms,
): Promise<readonly Change[] | undefined> {
  const changes: Change[] = []
  for (const write of writes) {
    const { kind, key } = targetOf(write)
    const found = await readRecord(store, kind, key)
    const after = afterOf(write, found, terms)
    if (after === "impossible") return undefined
    if (after === found) continue
    changes.push({
      key: keyOf(store, { kind, key }),
      ...(found && { before: valueOf(found) }),
      ...(after && { after: valueOf(after) }),
    })
  }
  return changes
}

function afterOf(
  write: RecordWrite,
  found: StoredRecord | null,
  { now, owner }: Terms,
): StoredRecord | null | "impossible" {
  const isCurrent = found !== null && !isExpiredRecord(found, now)
  const isForeign = found !== null && owner !== undefined && found.owner !== owner
  if (write.write === "insert") return isCurrent ? "impossible" : { ...write.record, version: 1 }
  if (write.write === "remove") return isForeign ? found : null
  const { record } = write
  if (!isCurrent || isForeign || found.version !== record.version) return "impossible"
  return { ...record, version: record.version + 1 }
}

function targetOf(write: RecordWrite): Pick<NewRecord, "kind" | "key"> {
  return write.write === "remove" ? write : write.record
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
function keyOf({ recordPrefix }: Store, { kind, key }: Pick<NewRecord, "kind" | "key">): string {
  return `${exactKey(recordPrefix, [kind, key])}:=`
}

function assertKey(key: string): void {
  if (!isStorable(key)) throw new TypeError("A key contains a lone surrogate, which can't be stored. Pass another one.")
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
