import type { ConformanceCase } from "./case.js"
import { expectExactly, expectFields, expectList, expectNull, expectOneWinner } from "./check.js"
import { unique } from "./fixtures.js"
import { aRecord, defineRecordCase, expectAnswer, expectStored, inserted, later, now } from "./records-case.js"

/** One record at a time. */
export const records: readonly ConformanceCase[] = [
  defineRecordCase({ id: "records.insert", name: "a record is stored with all fields, once" }, async (records) => {
    const full = { owner: unique(), index1: unique(), index2: unique(), data: '{"a":[1,null]}', expiresAt: later(1) }
    for (const fields of [full, {}]) {
      const record = await inserted(records, fields)
      await expectStored("get returns the record", records, record)
      const again = { ...aRecord({ data: '"other"' }), key: record.key }
      expectAnswer("insert with a taken key", await records.insert(again, now), false)
      await expectStored("A refused insert changes nothing, so get returns the record", records, record)
      expectNull("get with another kind", await records.get("test.other", record.key))
    }
    expectNull("get of an unknown key", await records.get("test.record", unique()))
  }),
  defineRecordCase({ id: "records.expired", name: "a record that has expired can be replaced" }, async (records) => {
    const record = await inserted(records, { owner: unique(), index1: unique(), expiresAt: later(1000) })
    const next = aRecord({ key: record.key, index2: unique(), data: '"next"', expiresAt: later(5000) })
    expectAnswer("insert a millisecond before the expiry", await records.insert(next, later(999)), false)
    expectAnswer("insert at the expiry", await records.insert(next, later(1000)), true)
    await expectStored("get returns the new record", records, { ...next, version: 1 })
    const { records: found } = await records.find(record.kind, { owner: record.owner ?? "" }, { limit: 5 })
    expectList("find doesn't find the record that expired", found, "key", [])
  }),
  defineRecordCase(
    { id: "records.swap", name: "a record is replaced if it has the given version" },
    async (records) => {
      const record = await inserted(records, { owner: unique(), index1: "before", expiresAt: later(1000) })
      const changed = { ...record, owner: unique(), index1: null, index2: "after", data: "2", expiresAt: later(2000) }
      expectAnswer("swap with the version", await records.swap(changed, now), true)
      await expectStored("get returns the changed record", records, { ...changed, version: 2 })
      expectAnswer("swap with the version before", await records.swap(changed, now), false)
      expectAnswer("swap with a later version", await records.swap({ ...changed, version: 3 }, now), false)
      const forever = { ...changed, version: 2, expiresAt: null }
      expectAnswer("swap at the expiry", await records.swap(forever, later(2000)), false)
      expectAnswer("swap a millisecond before the expiry", await records.swap(forever, later(1999)), true)
      await expectStored("get returns a record that doesn't expire anymore", records, { ...forever, version: 3 })
      await records.remove(record.kind, record.key)
      expectAnswer("swap of a removed record", await records.swap({ ...forever, version: 3 }, now), false)
      expectNull("swap doesn't bring a record back, so get", await records.get(record.kind, record.key))
    },
  ),
  defineRecordCase({ id: "records.take", name: "a record is taken once" }, async (records) => {
    const [taken, kept] = [await inserted(records), await inserted(records)]
    expectNull("take with another kind", await records.take("test.other", taken.key))
    expectExactly("take returns the record", await records.take(taken.kind, taken.key), taken)
    expectNull("take of a taken record", await records.take(taken.kind, taken.key))
    expectNull("get of a taken record", await records.get(taken.kind, taken.key))
    await expectStored("take keeps other records", records, kept)
  }),
  defineRecordCase(
    { id: "records.remove", name: "a record is removed, and can be inserted again" },
    async (records) => {
      const [removed, kept] = [await inserted(records), await inserted(records)]
      await records.remove("test.other", removed.key)
      await expectStored("remove with another kind keeps the record", records, removed)
      await records.remove(removed.kind, removed.key)
      await records.remove(removed.kind, removed.key)
      expectNull("get of a removed record", await records.get(removed.kind, removed.key))
      await expectStored("remove keeps other records", records, kept)
      expectAnswer("insert of a removed record", await records.insert(removed, now), true)
    },
  ),
  defineRecordCase(
    { id: "records.race", name: "of 20 parallel calls for one record one succeeds" },
    async (records) => {
      const parallel = async (name: string, call: (at: number) => unknown) =>
        expectOneWinner(
          name,
          Array.from({ length: 20 }, (_, at) => () => call(at)),
          (answer) => answer !== false && answer !== null,
        )
      for (const expiresAt of [null, later(-1)]) {
        const record = aRecord({ expiresAt: later(60_000) })
        if (expiresAt) await records.insert({ ...record, expiresAt }, later(-1000))
        await parallel("insert checks and stores in one step", (at) =>
          records.insert({ ...record, data: String(at) }, now),
        )
      }
      const record = await inserted(records)
      await parallel("swap checks and stores in one step", (at) => records.swap({ ...record, data: String(at) }, now))
      await parallel("take deletes and returns in one step", () => records.take(record.kind, record.key))
      expectNull("get after the parallel calls", await records.get(record.kind, record.key))
    },
  ),
  defineRecordCase({ id: "records.bump", name: "a counter counts to its limit" }, async (records) => {
    const counter = { kind: "test.count", key: unique(), owner: unique(), limit: 5, expiresAt: later(1000), now }
    const counts = await Promise.all(Array.from({ length: 20 }, async () => records.bump(counter)))
    const answers = ["1", "2", "3", "4", "5", ...Array.from({ length: 15 }, () => "null")]
    expectList("Of 20 parallel bumps 5 count, each to another number", counts, "", answers)
    expectAnswer("bump with a higher limit", await records.bump({ ...counter, limit: 6, expiresAt: later(9000) }), 6)
    const { owner, expiresAt } = counter
    const fields = { owner, expiresAt, data: "6", index1: null, index2: null }
    expectFields("get returns the counter", await records.get(counter.kind, counter.key), fields)
    expectAnswer("bump of another counter", await records.bump({ ...counter, key: unique() }), 1)
    expectAnswer("bump with the limit 0", await records.bump({ ...counter, key: unique(), limit: 0 }), null)
  }),
  defineRecordCase({ id: "records.clock", name: "a counter starts anew by the given clock" }, async (records) => {
    for (const year of [1999, 2031, 2199]) {
      const at = (milliseconds: number) => new Date(Date.UTC(year, 5, 6, 7, 8, 9, milliseconds))
      const counter = { kind: "test.count", key: unique(), owner: null, limit: 1 }
      const first = { ...counter, expiresAt: at(500), now: at(0) }
      expectAnswer(`bump in ${year}`, await records.bump(first), 1)
      expectAnswer("bump a millisecond before the expiry", await records.bump({ ...first, now: at(499) }), null)
      const second = { ...counter, expiresAt: at(900), now: at(500) }
      expectAnswer("bump at the expiry", await records.bump(second), 1)
      expectAnswer("bump keeps the second expiry", await records.bump({ ...second, now: at(899) }), null)
    }
  }),
]
