import { assertBatch, isExpiredRecord } from "../model/record-rules.js"
import type { RecordStore, RecordWrite, StoredRecord } from "../model/records.js"
import { checkedWrites } from "./record-writes.js"

/** A record to store, or with `after: null` to delete. `before` is what `read` returned. */
export interface RecordChange {
  readonly kind: string
  readonly key: string
  readonly before: StoredRecord | null
  readonly after: StoredRecord | null
}

/** What {@link comparedRecords} needs. */
export interface ComparedStorage {
  read(kind: string, key: string): Promise<StoredRecord | null>
  /** Makes all changes if each record is still the one of `before`. `false`: another call has changed one of them. */
  commit(changes: readonly RecordChange[]): Promise<boolean>
}

/**
 * The methods of a store that compares what it has read with what is stored when it writes. They try again until nothing came between.
 *
 * @example
 * ```ts
 * import { type ComparedStorage, comparedRecords } from "@latchkey/core/adapters"
 * export const methods = (storage: ComparedStorage) => comparedRecords(storage)
 * ```
 */
export function comparedRecords({
  read,
  commit,
}: ComparedStorage): Omit<RecordStore, "atomic" | "find" | "list" | "removeOwned"> {
  const writeAll = async (writes: readonly RecordWrite[], now: Date, owner?: string): Promise<boolean> => {
    for (;;) {
      const changes: RecordChange[] = []
      for (const write of writes) {
        const { kind, key } = write.write === "remove" ? write : write.record
        const before = await read(kind, key)
        const after = afterOf(write, before, { now, owner })
        if (after === "impossible") return false
        if (after !== before) changes.push({ kind, key, before, after })
      }
      if (changes.length === 0 || (await commit(changes))) return true
    }
  }
  return {
    ...checkedWrites({ get: read, write: (write, now) => writeAll([write], now) }),
    take: async (kind, key) => {
      for (;;) {
        const before = await read(kind, key)
        if (!before || (await commit([{ kind, key, before, after: null }]))) return before
      }
    },
    remove: async (kind, key) => void (await writeAll([{ write: "remove", kind, key }], new Date(0))),
    batch: async (owner, writes, now) => {
      assertBatch(owner, writes)
      return writeAll(writes, now, owner)
    },
  }
}

interface Terms {
  readonly now: Date
  /** Of a batch. */
  readonly owner: string | undefined
}

function afterOf(write: RecordWrite, found: StoredRecord | null, terms: Terms): StoredRecord | null | "impossible" {
  const isCurrent = found !== null && !isExpiredRecord(found, terms.now)
  if (write.write === "insert") return isCurrent ? "impossible" : { ...write.record, version: 1 }
  const isForeign = found !== null && terms.owner !== undefined && found.owner !== terms.owner
  if (write.write === "remove") return isForeign ? found : null
  return isCurrent && !isForeign ? swapped(write.record, found) : "impossible"
}

function swapped(record: StoredRecord, { version }: StoredRecord): StoredRecord | "impossible" {
  return version === record.version ? { ...record, version: version + 1 } : "impossible"
}
