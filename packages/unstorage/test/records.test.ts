import type { NewRecord, RecordWrite } from "@latchkey/core/adapters"
import { unstorage } from "@latchkey/unstorage"
import { createStorage } from "unstorage"
import memoryDriver from "unstorage/drivers/memory"
import { expect, test } from "vitest"

const now = new Date("2031-01-01T00:00:00Z")

function aRecord(key: string): NewRecord {
  return { kind: "test.record", key, owner: "ada", index1: null, index2: null, data: "1", expiresAt: null }
}

test("a process that ends at any write of a batch leaves all of its writes or none", async () => {
  const outcomes: string[] = []
  let isDone = false
  for (let at = 0; !isDone; at++) {
    const driver = memoryDriver()
    const first = createStorage({ driver })
    const { records } = unstorage(first)
    for (const key of ["changed", "removed"]) await records.insert(aRecord(key), now)
    let writes = 0
    const ending = <Args extends readonly unknown[]>(write: (...args: Args) => Promise<void>) => {
      return async (...args: Args) => {
        if (writes++ >= at) throw new Error("The process ended")
        await write(...args)
      }
    }
    first.setItem = ending(first.setItem)
    first.removeItem = ending(first.removeItem)
    const batch: RecordWrite[] = [
      { write: "insert", record: aRecord("added") },
      { write: "swap", record: { ...aRecord("changed"), data: "2", version: 1 } },
      { write: "remove", kind: "test.record", key: "removed" },
    ]
    isDone = await Promise.resolve(records.batch("ada", batch, now)).catch(() => false)
    const next = unstorage(createStorage({ driver })).records
    const found = await Promise.all(["added", "changed", "removed"].map(async (key) => next.get("test.record", key)))
    outcomes.push(found.map((record) => record?.version ?? 0).join())
  }
  expect(outcomes).toEqual(["0,1,1", "1,2,0", "1,2,0", "1,2,0", "1,2,0", "1,2,0"])
})

test("without Redis, records say that their steps are atomic in one process only", () => {
  expect(unstorage(createStorage()).records.atomic).toBe("process")
})
