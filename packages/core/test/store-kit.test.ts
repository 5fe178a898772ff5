import {
  type ApplicationTable,
  entitiesIn,
  type StoredRow,
  sweepTable,
  takeRow,
  writeAllOrNone,
} from "@latchkey/core/adapters"
import { expect, test } from "vitest"

/** A table with one row. `race` changes the row after each read. */
function tableWith(row: StoredRow, race: (row: StoredRow) => StoredRow = (same) => same) {
  let stored = row
  const table: ApplicationTable = {
    name: "accounts",
    hasColumn: (name) => ["id", "extra", "details"].includes(name),
    hasText: () => true,
    convert: (_name, value) => value,
    insert: async (inserted) => (stored = inserted),
    find: async () => {
      const read = stored
      stored = race(stored)
      return [read]
    },
    update: async (_key, changes) => (stored = { ...stored, ...changes }),
    replace: async (_key, { column, before, after }) => {
      if (stored[column] !== before) return false
      stored = { ...stored, [column]: after }
      return true
    },
    take: async () => stored,
    remove: async () => undefined,
  }
  return { table, read: () => stored }
}

const decode = (row: StoredRow) => row

test("a field without a column is stored in the JSON of `rest`, and nowhere without it", async () => {
  const { table, read } = tableWith({})
  await entitiesIn(table, { decode, rest: "extra" }).insert({ id: "1", role: "admin", extra: "no" })
  expect(read()).toEqual({ id: "1", extra: '{"role":"admin","extra":"no"}' })
  await entitiesIn(table, { decode }).insert({ id: "1", role: "admin" })
  expect(read()).toEqual({ id: "1" })
})

test("an update keeps the other fields in the JSON, also those that another request adds meanwhile", async () => {
  let reads = 0
  const { table, read } = tableWith({ id: "1", extra: '{"a":1}' }, (row) => {
    reads += 1
    return reads === 1 ? { ...row, extra: '{"a":1,"b":2}' } : row
  })
  await entitiesIn(table, { decode, rest: "extra" }).update({ id: "1" }, { c: 3 })
  expect(read()).toEqual({ id: "1", extra: '{"a":1,"b":2,"c":3}' })
})

test("details are merged, with dates as milliseconds", async () => {
  const { table, read } = tableWith({ id: "1", details: '{"browser":"Firefox"}' })
  await entitiesIn(table, { decode }).describe?.({ id: "1" }, { lastUsedAt: new Date(5), system: undefined })
  expect(read()["details"]).toBe('{"browser":"Firefox","lastUsedAt":5}')
})

test("a text that other requests change all the time is an error with the name of the table", async () => {
  let count = 0
  const { table } = tableWith({ id: "1" }, (row) => ({ ...row, details: `{"count":${(count += 1)}}` }))
  const described = entitiesIn(table, { decode }).describe?.({ id: "1" }, { browser: "Firefox" })
  await expect(described).rejects.toThrow("Other requests keep changing the same row of `accounts`.")
})

test("a row that is replaced before each deletion is never taken", async () => {
  let count = 0
  const find = async () => ({ id: String((count += 1)) })
  const taken = takeRow({ key: { token: "a" }, find, remove: async () => 0 })
  await expect(taken).rejects.toThrow("Other requests keep replacing the same row. Try again later.")
})

test("a row whose stored date is more exact than the one that was read is deleted by its key", async () => {
  const removed: StoredRow[] = []
  const row = { token: "a", expires: new Date(5) }
  const remove = async (values: StoredRow) => {
    removed.push(values)
    return "expires" in values ? 0 : 1
  }
  expect(await takeRow({ key: { token: "a" }, find: async () => ({ ...row }), remove })).toEqual(row)
  expect(removed).toEqual([row, { token: "a" }])
})

test("a batch with an impossible write is undone, and the error of a write is passed on", async () => {
  const ended: string[] = []
  const transact = async (work: (inside: string[]) => Promise<void>) => {
    const inside: string[] = []
    await work(inside)
    ended.push(...inside)
  }
  const write = async (name: string, inside: string[]) => {
    if (name === "fails") throw new Error("The database failed.")
    inside.push(name)
    return name !== "impossible"
  }
  expect(await writeAllOrNone(["a", "impossible"], transact, write)).toBe(false)
  expect(await writeAllOrNone(["b", "c"], transact, write)).toBe(true)
  await expect(writeAllOrNone(["d", "fails"], transact, write)).rejects.toThrow("The database failed.")
  expect(ended).toEqual(["b", "c"])
})

test("a sweep goes on until a batch isn't full, and tells of each batch", async () => {
  const batches = [
    { found: 2, deleted: 1 },
    { found: 2, deleted: 2 },
    { found: 1, deleted: 1 },
  ]
  const told: unknown[] = []
  const table = { name: "sessions", deleteBatch: async () => batches.shift() ?? { found: 0, deleted: 0 } }
  expect(await sweepTable(table, { batchSize: 2, onBatch: (batch) => void told.push(batch) })).toBe(4)
  expect(told).toEqual([1, 2, 1].map((rows) => ({ table: "sessions", rows })))
})

test("a sweep stops between two batches, and refuses a batch size also without a table", async () => {
  const stop = new AbortController()
  const deleteBatch = async () => {
    stop.abort()
    return { found: 1, deleted: 1 }
  }
  expect(await sweepTable({ name: "sessions", deleteBatch }, { batchSize: 1, signal: stop.signal })).toBe(1)
  expect(await sweepTable(undefined, {})).toBe(0)
  await expect(sweepTable(undefined, { batchSize: 0 })).rejects.toThrow(RangeError)
})
