import {
  assertBatch,
  checkedWrites,
  type NewRecord,
  pageOf,
  type RecordPage,
  type RecordStore,
  type RecordWrite,
  type StoredRecord,
  writeAllOrNone,
} from "@latchkey/core/adapters"
import type { ClientSession, Collection, Document, Filter } from "mongodb"
import { assertText, isText } from "./documents.js"
import { isDuplicate } from "./failures.js"
import type { Store } from "./store.js"

/** Where modules keep their data, in a collection. A batch of several writes is a transaction, which needs a replica set. */
export function recordStore(store: Store): RecordStore {
  return {
    ...checkedWrites({
      get: async (kind, key) =>
        isText(key) ? store.read(async ({ records }) => recordOf(await records.findOne(byName({ kind, key })))) : null,
      write: (write, now) => store.write(({ records }) => runWrite(records, { write, now, owner: undefined })),
    }),
    atomic: "global",
    find: async (kind, index, { limit, after }) => {
      if (!Object.values(index).every(isText)) return { records: [] }
      const filter = { kind, ...index, ...(after !== undefined && { key: { $gt: after } }) }
      return findPage(store, { filter, order: "key", limit })
    },
    list: async (kind, { limit, after }) => {
      const from = after === undefined ? { $gte: nameOf({ kind, key: "" }) } : { $gt: nameOf({ kind, key: after }) }
      // A kind has no colon, and a semicolon is the next character.
      const filter = { _id: { ...from, $lt: `${kind};` } } as unknown as Filter<Document>
      return findPage(store, { filter, order: "_id", limit })
    },
    take: async (kind, key) => {
      if (!isText(key)) return null
      return store.read(async ({ records }) =>
        recordOf(await records.findOneAndDelete(byName({ kind, key }), { includeResultMetadata: false })),
      )
    },
    remove: async (kind, key) => {
      if (isText(key)) await store.read(({ records }) => records.deleteOne(byName({ kind, key })))
    },
    batch: async (owner, writes, now) => {
      assertBatch(owner, writes)
      return store.write(({ records }, client) => {
        const run = (write: RecordWrite, session?: ClientSession) => runWrite(records, { write, now, owner, session })
        const [first, ...others] = writes
        if (!first) return Promise.resolve(true)
        return others.length === 0 ? run(first) : inTransaction(client, writes, run)
      })
    },
    removeOwned: async (owner) => {
      if (isText(owner)) await store.read(({ records }) => records.deleteMany({ owner }))
    },
  }
}

interface Wanted {
  readonly filter: Filter<Document>
  readonly order: "key" | "_id"
  readonly limit: number
}

async function findPage(store: Store, { filter, order, limit }: Wanted): Promise<RecordPage> {
  const found = await store.read(({ records }) =>
    records
      .find(filter)
      .sort({ [order]: 1 })
      .limit(limit + 1)
      .toArray(),
  )
  return pageOf(
    found.map(recordOf).filter((record) => record !== null),
    limit,
  )
}

interface Sessions {
  withSession<T>(work: (session: ClientSession) => Promise<T>): Promise<T>
}

async function inTransaction(
  client: Sessions,
  writes: readonly RecordWrite[],
  run: (write: RecordWrite, session: ClientSession) => Promise<boolean>,
): Promise<boolean> {
  return writeAllOrNone<RecordWrite, ClientSession>(
    writes,
    (work) => client.withSession(async (session) => session.withTransaction(() => work(session))),
    run,
  )
}

interface TimedWrite {
  readonly write: RecordWrite
  readonly now: Date
  /** If it's part of a batch. */
  readonly owner: string | undefined
  readonly session?: ClientSession | undefined
}

async function runWrite(records: Collection, { write, now, owner, session }: TimedWrite): Promise<boolean> {
  const options = session ? { session } : {}
  const owned = owner === undefined ? {} : { owner }
  if (write.write === "remove") {
    if (isText(write.key)) await records.deleteOne({ ...byName(write), ...owned }, options)
    return true
  }
  const { record } = write
  assertTexts(record)
  if (write.write === "insert") {
    await records.deleteOne({ ...byName(record), expiresAt: { $lte: now } }, options)
    return insertOnce(records, documentOf({ ...record, version: 1 }), options)
  }
  const { version } = write.record
  const { _id, ...changes } = documentOf({ ...write.record, version: version + 1 })
  // `$not` also matches `null`, which is no date.
  const current = { ...byName(record), ...owned, version, expiresAt: { $not: { $lte: now } } }
  const swapped = await records.findOneAndUpdate(
    current,
    { $set: changes },
    { ...options, includeResultMetadata: false },
  )
  return swapped !== null
}

async function insertOnce(
  records: Collection,
  document: Document,
  options: { readonly session?: ClientSession },
): Promise<boolean> {
  try {
    await records.insertOne(document, options)
    return true
  } catch (error) {
    if (isDuplicate(error)) return false
    throw error
  }
}

function assertTexts({ key, owner, index1, index2, data }: NewRecord): void {
  assertText(...[key, owner, index1, index2, data].filter((text) => text !== null))
}

/** A kind has no colon. */
function nameOf({ kind, key }: Pick<NewRecord, "kind" | "key">): string {
  return `${kind}:${key}`
}

function byName(record: Pick<NewRecord, "kind" | "key">): Filter<Document> {
  return { _id: nameOf(record) } as unknown as Filter<Document>
}

function documentOf(record: StoredRecord): Document {
  return { _id: nameOf(record), ...record }
}

function recordOf(document: Document | null): StoredRecord | null {
  if (document === null) return null
  const { kind, key, owner, index1, index2, data, version, expiresAt } = document
  return { kind, key, owner, index1, index2, data, version: Number(version), expiresAt }
}
