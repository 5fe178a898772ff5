import type { NewRecord, RecordIndex, RecordPage, RecordStore, StoredRecord } from "@latchkey/core/adapters"
import type { ConformanceCase } from "./case.js"
import { expectFields, expectList, expectNull, fail } from "./check.js"
import { aUser, unique } from "./fixtures.js"
import { similarTexts } from "./look-alikes.js"
import { aRecord, defineRecordCase, expectAnswer, expectStored, inserted, later, now } from "./records-case.js"

/** Several records, and what they contain. */
export const recordLists: readonly ConformanceCase[] = [
  defineRecordCase(
    { id: "records.find", name: "records are found by owner and index, page by page" },
    async (records) => {
      const [value, other] = [unique(), unique()]
      for (const field of ["owner", "index1", "index2"] as const) {
        const stored: string[] = []
        for (const key of Array.from({ length: 7 }, (_, at) => `${unique()}${at}`)) {
          stored.push((await inserted(records, { key, [field]: value })).key)
        }
        await inserted(records, { [field]: other })
        await inserted(records, { kind: "test.other", [field]: value })
        const index = indexOf(field, value)
        for (const limit of [1, 2, 3, 6, 7, 8]) {
          const found = await pages(records, index, limit)
          expectList(`find by ${field} in pages of ${limit} returns each record once`, found, "", stored)
        }
        const {
          records: [first],
          next,
        } = await records.find("test.record", index, { limit: 7 })
        expectAnswer("find returns no `next` with the last page", next, undefined)
        expectFields("find returns records with all fields", first, {
          ...aRecord({ [field]: value }),
          key: first?.key,
          version: 1,
        })
        expectList("find of an unknown value", await pages(records, indexOf(field, unique()), 9), "", [])
      }
    },
  ),
  defineRecordCase({ id: "records.list", name: "all records of a kind are listed, page by page" }, async (records) => {
    const kind = `test.list-${unique()}`
    const stored: string[] = []
    for (const key of ["", ":", "*"].flatMap((text) => [`${unique()}${text}`, `${unique()}é${text}`, unique()]))
      stored.push((await inserted(records, { kind, key, expiresAt: key.endsWith("*") ? later(1e6) : null })).key)
    for (const other of [`${kind}.more`, kind.slice(0, -1), "test.other"]) await inserted(records, { kind: other })
    await records.take(kind, (await inserted(records, { kind })).key)
    for (const limit of [1, 2, 9, 100]) {
      const found = await everyPage((after) => records.list(kind, { limit, ...after }))
      const keys = [...new Set(found.map(({ key }) => key))]
      expectList(`list in pages of ${limit} returns each record`, keys, "", stored)
    }
  }),
  defineRecordCase(
    { id: "records.moves", name: "a record is found by its current owner and index only" },
    async (records) => {
      const before = { owner: unique(), index1: unique(), index2: unique() }
      const after = { owner: unique(), index1: unique(), index2: unique() }
      const record = await inserted(records, before)
      await records.swap({ ...record, ...after }, now)
      for (const field of ["owner", "index1", "index2"] as const) {
        expectList(`find by the former ${field}`, await pages(records, indexOf(field, before[field]), 5), "", [])
        expectList(`find by the ${field}`, await pages(records, indexOf(field, after[field]), 5), "", [record.key])
      }
      await records.take(record.kind, record.key)
      for (const field of ["owner", "index1", "index2"] as const)
        expectList(`find of a taken record by ${field}`, await pages(records, indexOf(field, after[field]), 5), "", [])
    },
  ),
  defineRecordCase(
    { id: "records.exact", name: "keys, owners and indexes that look alike are different" },
    async (records) => {
      const texts = similarTexts(`mike.strasse.café.${unique()}`)
      for (const text of texts)
        await inserted(records, { key: text, owner: text, index1: text, index2: text, data: JSON.stringify(text) })
      for (const text of texts) {
        expectFields(`get compares exactly with ${JSON.stringify(text)}`, await records.get("test.record", text), {
          data: JSON.stringify(text),
        })
        for (const field of ["owner", "index1", "index2"] as const) {
          const found = await pages(records, indexOf(field, text), 5)
          expectList(`find compares ${field} exactly with ${JSON.stringify(text)}`, found, "", [text])
        }
      }
      const [first, ...others] = texts
      await records.removeOwned(first)
      expectNull("get of a record of the owner", await records.get("test.record", first))
      for (const text of others)
        expectFields("removeOwned compares exactly", await records.get("test.record", text), { key: text })
      for (const key of ["", "*", "%", "a:b", "a/b", "a\nb"].map((text) => `${unique()}${text}`)) {
        await inserted(records, { key })
        expectFields(`get with the key ${JSON.stringify(key)}`, await records.take("test.record", key), { key })
      }
    },
  ),
  defineRecordCase({ id: "records.values", name: "long texts and dates are stored exactly" }, async (records) => {
    const text = `"'\\\n\té😀\u2028ﷺ `
    const data = JSON.stringify(text.repeat(8_000))
    const bytes = new TextEncoder().encode(data).length
    const padded = `${data}${" ".repeat(256 * 1024 - bytes)}`
    const long = { owner: "o".repeat(255), index1: "i".repeat(255), index2: "😀".repeat(127) }
    const record = await inserted(records, { ...long, key: unique().repeat(7), data: padded })
    await expectStored("get returns 256 KiB of data", records, record)
    await records.remove(record.kind, record.key)
    for (const time of ["1901-12-13T20:45:51.007Z", "2038-01-19T03:14:08.999Z", "2199-12-31T23:59:59.001Z"]) {
      const expiresAt = new Date(time)
      const expiring = aRecord({ expiresAt })
      await records.insert(expiring, new Date(expiresAt.getTime() - 1))
      await expectStored(`get returns the expiry ${time}`, records, { ...expiring, version: 1 })
    }
  }),
  defineRecordCase(
    { id: "records.owned", name: "removing what an owner has removes records of every kind" },
    async (records, adapter, options) => {
      const kinds = ["test.record", "test.other", "test.count"]
      const store = async (owner: string) =>
        Promise.all(
          kinds.map(async (kind) => inserted(records, { kind, owner, index1: unique(), expiresAt: later(1e6) })),
        )
      const [owner, other] = [unique(), unique()]
      const [removed, kept] = [await store(owner), await store(other)]
      await records.removeOwned(owner)
      for (const { kind, key } of removed) expectNull("get of a record of the owner", await records.get(kind, key))
      for (const record of kept) await expectStored("removeOwned keeps the records of other owners", records, record)
      if (!adapter.createUser || !adapter.deleteUser) fail("The adapter has createUser and deleteUser", "none")
      const user = await adapter.createUser(aUser(options))
      const ofUser = await store(user.id)
      await adapter.deleteUser(user.id)
      for (const { kind, key } of ofUser) expectNull("get of a record of a deleted user", await records.get(kind, key))
      for (const record of kept) await expectStored("deleteUser keeps the records of other owners", records, record)
    },
  ),
]

function indexOf(field: keyof Pick<NewRecord, "owner" | "index1" | "index2">, value: string): RecordIndex {
  if (field === "owner") return { owner: value }
  return field === "index1" ? { index1: value } : { index2: value }
}

/** The keys of all pages. */
async function pages(records: RecordStore, index: RecordIndex, limit: number): Promise<string[]> {
  const found = await everyPage(async (after) => {
    const page = await records.find("test.record", index, { limit, ...after })
    if (page.records.length > limit) fail(`find returns at most ${limit} records`, String(page.records.length))
    return page
  })
  return found.map(({ key }) => key)
}

async function everyPage(
  read: (after: { readonly after?: string }) => RecordPage | PromiseLike<RecordPage>,
): Promise<StoredRecord[]> {
  const found: StoredRecord[] = []
  let after: string | undefined
  do {
    const page = await read(after === undefined ? {} : { after })
    found.push(...page.records)
    if (page.next !== undefined && page.next === after) fail("A page leads to the next one", page.next)
    after = page.next
  } while (after !== undefined)
  return found
}
