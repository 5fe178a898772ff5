import type { Adapter, NewRecord, RecordStore, StoredRecord } from "@latchkey/core/adapters"
import { type ConformanceCase, defineCase, type Surroundings } from "./case.js"
import { expectExactly, fail } from "./check.js"
import { unique } from "./fixtures.js"

/** Creates a case that fails if the adapter has no `records`. */
export function defineRecordCase(
  head: Pick<ConformanceCase, "id" | "name">,
  run: (records: RecordStore, adapter: Adapter, options: Surroundings) => Promise<void>,
): ConformanceCase {
  return defineCase({ ...head, part: "records" }, [], async (adapter, options) => {
    if (!adapter.records) fail("The adapter has `records`", "none")
    await run(adapter.records, adapter, options)
  })
}

/** The time of the cases, which isn't that of the server. */
export const now: Date = new Date("2031-02-03T04:05:06.789Z")

export function later(milliseconds: number): Date {
  return new Date(now.getTime() + milliseconds)
}

export function aRecord(fields: Partial<NewRecord> = {}): NewRecord {
  return {
    kind: "test.record",
    key: unique(),
    owner: null,
    index1: null,
    index2: null,
    data: "{}",
    expiresAt: null,
    ...fields,
  }
}

/** Stores a record, and returns it as it's stored. */
export async function inserted(records: RecordStore, fields: Partial<NewRecord> = {}): Promise<StoredRecord> {
  const record = aRecord(fields)
  if (!(await records.insert(record, now))) fail("insert stores a record with a new key", "false")
  return { ...record, version: 1 }
}

export async function expectStored(requirement: string, records: RecordStore, record: StoredRecord): Promise<void> {
  expectExactly(requirement, await records.get(record.kind, record.key), record)
}

export function expectAnswer(requirement: string, answer: unknown, expected: unknown): void {
  if (answer !== expected) fail(`${requirement}: ${String(expected)}`, String(answer))
}
