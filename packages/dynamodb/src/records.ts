import {
  assertRecord,
  comparedRecords,
  indexEntry,
  newId,
  type NewRecord,
  pageOf,
  type RecordChange,
  type RecordStore,
  type StoredRecord,
} from "@latchkey/core/adapters"
import type { Item } from "./codec.js"
import { type Key, recordIndexKey, recordKey } from "./keys.js"
import type { Table, TableWrite } from "./table.js"

const indexedFields = ["owner", "index1", "index2"] as const

/**
 * Where modules keep their data. Each owner and index has a partition with the names of its records, because the index of the table is
 * read with a delay. A change is a transaction of a record and these names.
 */
export function recordStore(table: Table): RecordStore {
  /** Changes with each write, so that a record that was deleted and stored again is another one. */
  const revisions = new WeakMap<StoredRecord, string>()
  const read = async (kind: string, key: string): Promise<StoredRecord | null> => {
    if (!isStorable(key)) return null
    const item = await table.get(recordKey(kind, key))
    if (!item) return null
    const record = recordOf(item)
    revisions.set(record, String(item["revision"]))
    return record
  }
  const commit = (changes: readonly RecordChange[]) =>
    table.transact(
      changes.flatMap((change) => [
        recordWrite(change, change.before && revisions.get(change.before)),
        ...indexWrites(change),
      ]),
    )
  return {
    ...comparedRecords({ read, commit }),
    atomic: "global",
    find: async (kind, index, page) => {
      const [field, value] = indexEntry(index)
      if (!isStorable(value)) return { records: [] }
      const keys = await keysIn(table, { field, value, kind })
      const { limit, after } = page
      const found: StoredRecord[] = []
      for (const key of keys.filter((each) => after === undefined || each > after)) {
        const record = await read(kind, key)
        if (record?.[field] === value) found.push(record)
        if (found.length > limit) break
      }
      return pageOf(found, limit)
    },
    list: async (kind, { limit, after }) => {
      const { items, next } = await table.scan(recordKey(kind, "").pk, { limit, ...(after !== undefined && { after }) })
      return { records: items.map(recordOf), next }
    },
    removeOwned: (owner) => removeRecords(table, read, commit, owner),
  }
}

interface Listed {
  readonly field: string
  readonly value: string
  readonly kind: string
}

/** Sorted as JavaScript does: DynamoDB sorts by bytes. */
async function keysIn(table: Table, { field, value, kind }: Listed): Promise<readonly string[]> {
  const names = await table.list(recordIndexKey(field, value, { kind, key: "" }).pk, `${kind}#`)
  return names.map(({ sk }) => sk.slice(kind.length + 1)).toSorted()
}

async function removeRecords(
  table: Table,
  read: (kind: string, key: string) => Promise<StoredRecord | null>,
  commit: (changes: readonly RecordChange[]) => Promise<boolean>,
  owner: string,
): Promise<void> {
  if (!isStorable(owner)) return
  for (const { sk } of await table.list(recordIndexKey("owner", owner, { kind: "", key: "" }).pk)) {
    const [kind = ""] = sk.split("#")
    const key = sk.slice(kind.length + 1)
    for (;;) {
      const before = await read(kind, key)
      if (before?.owner !== owner || (await commit([{ kind, key, before, after: null }]))) break
    }
  }
}

function recordWrite({ kind, key, before, after }: RecordChange, revision: string | null | undefined): TableWrite {
  const condition = before ? { equals: { revision } } : { exists: false }
  const name = recordKey(kind, key)
  if (!after) return { key: name, condition }
  assertRecord(after)
  assertStorableTexts(after)
  return { key: name, item: itemOf(after), condition }
}

/** The names to add and to remove. They expire with their record. */
function indexWrites({ kind, key, before, after }: RecordChange): TableWrite[] {
  return indexedFields.flatMap((field): TableWrite[] => {
    const [former, value] = [before?.[field] ?? null, after?.[field] ?? null]
    const at = (text: string): Key => recordIndexKey(field, text, { kind, key })
    return [
      ...(former !== null && former !== value ? [{ key: at(former) }] : []),
      ...(value !== null ? [{ key: at(value), item: expiryOf(after?.expiresAt ?? null) }] : []),
    ]
  })
}

/** DynamoDB deletes items by `expires`, in seconds, and by its own clock, from which that of a server may differ by a minute. */
function expiryOf(expiresAt: Date | null): Item {
  return expiresAt === null ? {} : { expires: Math.ceil(expiresAt.getTime() / 1000) + 60 }
}

function itemOf({ expiresAt, ...record }: StoredRecord): Item {
  const time = expiresAt === null ? null : expiresAt.getTime()
  return { ...record, expiresAt: time, ...expiryOf(expiresAt), revision: newId() }
}

function recordOf({ kind, key, owner, index1, index2, data, version, expiresAt }: Item): StoredRecord {
  const time = expiresAt === null ? null : new Date(Number(expiresAt))
  // `itemOf` has made it.
  return { kind, key, owner, index1, index2, data, version: Number(version), expiresAt: time } as StoredRecord
}

function isStorable(text: string): boolean {
  return !/\p{Surrogate}/u.test(text)
}

function assertStorableTexts({ key, owner, index1, index2, data }: NewRecord): void {
  if ([key, owner ?? "", index1 ?? "", index2 ?? "", data].every(isStorable)) return
  throw new TypeError("The text contains a lone surrogate, which DynamoDB can't store. Remove it.")
}
