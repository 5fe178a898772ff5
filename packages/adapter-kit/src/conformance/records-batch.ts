import type { RecordWrite } from "@latchkey/core/adapters"
import type { ConformanceCase } from "./case.js"
import { expectNull, expectOneWinner, expectRejection } from "./check.js"
import { unique } from "./fixtures.js"
import { aRecord, defineRecordCase, expectAnswer, expectStored, inserted, later, now } from "./records-case.js"

export const recordBatches: readonly ConformanceCase[] = [
  defineRecordCase({ id: "records.batch", name: "a batch does all its writes" }, async (records) => {
    const owner = unique()
    const [changed, removed] = [await inserted(records, { owner, index1: "a" }), await inserted(records, { owner })]
    const record = aRecord({ owner, expiresAt: later(1000) })
    const done = await records.batch(
      owner,
      [
        { write: "insert", record },
        { write: "swap", record: { ...changed, data: "2", index1: "b" } },
        { write: "remove", kind: removed.kind, key: removed.key },
        { write: "remove", kind: removed.kind, key: unique() },
      ],
      now,
    )
    expectAnswer("batch with writes that are possible", done, true)
    await expectStored("batch inserts", records, { ...record, version: 1 })
    await expectStored("batch swaps", records, { ...changed, data: "2", index1: "b", version: 2 })
    expectNull("batch removes, so get", await records.get(removed.kind, removed.key))
    expectAnswer("batch without writes", await records.batch(owner, [], now), true)
    const many = Array.from({ length: 20 }, (): RecordWrite => ({ write: "insert", record: aRecord({ owner }) }))
    expectAnswer("batch with 20 writes", await records.batch(owner, many, now), true)
  }),
  defineRecordCase(
    { id: "records.batch-none", name: "a batch of which one write fails does none" },
    async (records) => {
      const owner = unique()
      const stored = await inserted(records, { owner, expiresAt: later(1000) })
      const failing: readonly (readonly [string, RecordWrite, Date])[] = [
        ["an insert of a record that exists", { write: "insert", record: aRecord({ owner, key: stored.key }) }, now],
        ["a swap with another version", { write: "swap", record: { ...stored, version: 2 } }, now],
        ["a swap of an expired record", { write: "swap", record: stored }, later(1000)],
        ["a swap of an unknown record", { write: "swap", record: { ...stored, key: unique() } }, now],
      ]
      for (const [name, write, time] of failing)
        for (const position of [0, 1, 2, 3]) {
          const [changed, removed] = [await inserted(records, { owner }), await inserted(records, { owner })]
          const record = aRecord({ owner })
          const writes: RecordWrite[] = [
            { write: "insert", record },
            { write: "swap", record: { ...changed, data: "2" } },
            { write: "remove", kind: removed.kind, key: removed.key },
          ]
          const answer = await records.batch(owner, writes.toSpliced(position, 0, write), time)
          expectAnswer(`batch with ${name} at position ${position}`, answer, false)
          expectNull("A failed batch doesn't insert, so get", await records.get(record.kind, record.key))
          for (const each of [stored, changed, removed])
            await expectStored("A failed batch changes and removes nothing", records, each)
        }
    },
  ),
  defineRecordCase(
    { id: "records.batch-race", name: "of 20 parallel batches one does all its writes" },
    async (records) => {
      const owner = unique()
      const [first, second] = [await inserted(records, { owner }), await inserted(records, { owner })]
      const swap = (data: string): RecordWrite[] =>
        [first, second].map((record) => ({ write: "swap", record: { ...record, data } }))
      await expectOneWinner(
        "batch checks and stores in one step",
        Array.from(
          { length: 20 },
          (_, at) => async () => records.batch(owner, at % 2 ? swap(String(at)) : swap(String(at)).toReversed(), now),
        ),
        Boolean,
      )
      const [one, other] = [await records.get(first.kind, first.key), await records.get(second.kind, second.key)]
      expectAnswer("Both records are of one batch, so the second has the data of the first", other?.data, one?.data)
      expectAnswer("The records are changed once, so the version", one?.version, 2)
    },
  ),
  defineRecordCase(
    { id: "records.batch-owner", name: "a batch doesn't touch records of another owner" },
    async (records) => {
      const owner = unique()
      for (const other of [unique(), owner.toUpperCase(), null]) {
        const foreign = await inserted(records, { owner: other })
        const record = aRecord({ owner: other })
        for (const write of [
          { write: "insert", record },
          { write: "swap", record: { ...foreign, data: "2" } },
        ] as const) {
          const mixed: RecordWrite[] = [{ write: "insert", record: aRecord({ owner }) }, write]
          await expectRejection(`batch rejects the ${write.write} of a record of another owner`, () =>
            records.batch(owner, mixed, now),
          )
        }
        const own = { ...foreign, owner, data: "2" }
        expectAnswer(
          "A batch can't take over a record",
          await records.batch(owner, [{ write: "swap", record: own }], now),
          false,
        )
        await records.batch(owner, [{ write: "remove", kind: foreign.kind, key: foreign.key }], now)
        await expectStored("The record of another owner stays", records, foreign)
        expectNull("A rejected batch inserts nothing, so get", await records.get(record.kind, record.key))
      }
      const tooMany = Array.from({ length: 21 }, (): RecordWrite => ({ write: "insert", record: aRecord({ owner }) }))
      await expectRejection("batch rejects more than 20 writes", () => records.batch(owner, tooMany, now))
      const twice = aRecord({ owner })
      const both: RecordWrite[] = [
        { write: "remove", kind: twice.kind, key: twice.key },
        { write: "insert", record: twice },
      ]
      await expectRejection("batch rejects two writes of one record", () => records.batch(owner, both, now))
    },
  ),
]
