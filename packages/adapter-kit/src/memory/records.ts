import {
  type NewRecord,
  type RecordPage,
  type RecordStore,
  type RecordWrite,
  type StoredRecord,
  assertBatch,
  assertRecord,
  indexEntry,
  isExpiredRecord,
  pageOf,
} from "@latchkey/core/adapters"
import { type Table, type Tables, copyIn, copyOut, draftOf, pair } from "./tables.js"

/** There is no `await` within a method, so each is one atomic step. */
export function recordStore(tables: Tables): RecordStore {
  const { records } = tables
  return {
    atomic: "process",
    get: async (kind, key) => copyOrNull(records.get(pair(kind, key))),
    find: async (kind, index, page) => {
      const [field, value] = indexEntry(index)
      return pageWhere(records, page, (record) => record.kind === kind && record[field] === value)
    },
    list: async (kind, page) => pageWhere(records, page, (record) => record.kind === kind),
    insert: async (record, now) => {
      assertRecord(record)
      return insert(records, record, now)
    },
    swap: async (record, now) => {
      assertRecord(record)
      return swap(records, record, now)
    },
    take: async (kind, key) => {
      const found = records.get(pair(kind, key))
      records.delete(pair(kind, key))
      return copyOrNull(found)
    },
    bump: async ({ limit, now, ...counter }) => {
      const found = current(records, counter, now)
      const count = Number(found?.data ?? 0) + 1
      if (count > limit) return null
      const first: NewRecord = { ...counter, index1: null, index2: null, data: "1" }
      if (found) swap(records, { ...found, data: String(count) }, now)
      else insert(records, first, now)
      return count
    },
    remove: async (kind, key) => void records.delete(pair(kind, key)),
    batch: async (owner, writes, now) => {
      assertBatch(owner, writes)
      const draft = draftOf(tables)
      if (!writes.every((each) => write(draft.tables.records, { owner, now }, each))) return false
      draft.commit()
      return true
    },
    removeOwned: async (owner) => removeRecords(records, owner),
  }
}

export function removeRecords(records: Table<StoredRecord>, owner: string): void {
  const owned = Array.from(records.values()).filter((record) => record.owner === owner)
  for (const { kind, key } of owned) records.delete(pair(kind, key))
}

type Records = Table<StoredRecord>

function pageWhere(
  records: Records,
  { limit, after }: { readonly limit: number; readonly after?: string },
  matches: (record: StoredRecord) => boolean,
): RecordPage {
  const isFollowing = ({ key }: StoredRecord) => after === undefined || key > after
  const found = Array.from(records.values()).filter((record) => isFollowing(record) && matches(record))
  const sorted = found.toSorted((one, other) => (one.key < other.key ? -1 : 1))
  return pageOf(sorted.slice(0, limit + 1).map(copyOut), limit)
}

function insert(records: Records, record: NewRecord, now: Date): boolean {
  if (current(records, record, now)) return false
  records.set(pair(record.kind, record.key), copyIn({ ...record, version: 1 }))
  return true
}

function swap(records: Records, record: StoredRecord, now: Date): boolean {
  const found = current(records, record, now)
  if (found?.version !== record.version) return false
  records.set(pair(record.kind, record.key), copyIn({ ...record, version: record.version + 1 }))
  return true
}

function write(records: Records, { owner, now }: { owner: string; now: Date }, each: RecordWrite): boolean {
  if (each.write === "insert") return insert(records, each.record, now)
  const { kind, key } = each.write === "swap" ? each.record : each
  const isOwned = records.get(pair(kind, key))?.owner === owner
  if (each.write === "swap") return isOwned && swap(records, each.record, now)
  if (isOwned) records.delete(pair(kind, key))
  return true
}

function current(
  records: Records,
  { kind, key }: Pick<StoredRecord, "kind" | "key">,
  now: Date,
): StoredRecord | undefined {
  const found = records.get(pair(kind, key))
  return found && !isExpiredRecord(found, now) ? found : undefined
}

function copyOrNull(record: StoredRecord | undefined): StoredRecord | null {
  return record ? copyOut(record) : null
}
