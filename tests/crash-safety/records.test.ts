// Two processes write the same record, and a process is killed at each statement of a batch, over real databases.
import { mkdtemp, rm } from "node:fs/promises"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { RecordWrite, StoredRecord } from "@latchkey/core/adapters"
import { afterAll, describe, expect, inject, test } from "vitest"
import { newDatabase, newMysqlDatabase } from "../../packages/sql/test/databases.js"
import { start } from "./processes.js"
import type { RecordOrder } from "./record-process.js"
import { openRecords, type Place } from "./record-stores.js"

const places: readonly { readonly needs?: "postgres" | "mariadb" | "redis"; open(): Promise<Place> }[] = [
  {
    open: async () => {
      const folder = await mkdtemp(join(tmpdir(), "latchkey-records-"))
      afterAll(() => rm(folder, { recursive: true, force: true }))
      return { kind: "SQLite", address: join(folder, "records.db") }
    },
  },
  { needs: "postgres", open: async () => ({ kind: "PostgreSQL", address: await newDatabase("crash_records") }) },
  { needs: "mariadb", open: async () => ({ kind: "MariaDB", address: await newMysqlDatabase("crash_records") }) },
  { needs: "redis", open: async () => ({ kind: "Redis", address: inject("redis") ?? "" }) },
]

function aRecord(fields: Partial<StoredRecord> = {}): StoredRecord {
  const none = { owner: "owner", index1: null, index2: null, expiresAt: null }
  return { kind: "race.record", key: crypto.randomUUID(), data: "{}", version: 1, ...none, ...fields }
}

/** `undefined`: the process was killed. */
async function give(child: ChildProcess, order: RecordOrder): Promise<boolean | undefined> {
  const { signal, abort } = listening()
  const answered = once(child, "message", { signal }).catch(() => [])
  const ended = once(child, "exit", { signal }).then(
    () => [],
    () => [],
  )
  child.send(order)
  const [result]: readonly { done?: boolean; failure?: string }[] = await Promise.race([answered, ended])
  abort()
  if (result?.failure !== undefined) throw new Error(result.failure)
  return result?.done
}

function listening(): { readonly signal: AbortSignal; readonly abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}

for (const { needs, open } of places) {
  const isThere = needs === undefined || inject(needs) !== undefined
  const place = isThere ? await open() : { kind: "Redis" as const, address: "" }

  describe.skipIf(!isThere)(`records over ${isThere ? place.kind : needs}`, () => {
    test("of two processes that write one record, one succeeds", async () => {
      const { records, close } = openRecords(place)
      const children = [start("record-process.ts"), start("record-process.ts")] as const
      try {
        for (const child of children) await give(child, { kind: "open", place })
        for (let round = 0; round < 40; round++) {
          const record = aRecord()
          const both = async (...[first, second]: readonly [RecordOrder, RecordOrder]) =>
            Promise.all([give(children[0], first), give(children[1], second)])
          const [one, other] = [
            { ...record, data: '"one"' },
            { ...record, data: '"other"' },
          ]
          const inserted = await both({ kind: "insert", record: one }, { kind: "insert", record: other })
          expect(inserted.filter(Boolean)).toHaveLength(1)
          const swapped = await both({ kind: "swap", record: one }, { kind: "swap", record: other })
          expect(swapped.filter(Boolean)).toHaveLength(1)
          const winner = swapped[0] ? one : other
          expect(await records.get(record.kind, record.key)).toEqual({ ...winner, version: 2 })
          const taken = await both({ kind: "take", record }, { kind: "take", record })
          expect(taken.filter(Boolean)).toHaveLength(1)
        }
      } finally {
        for (const child of children) child.kill()
        await close()
      }
    })

    test("a process that is killed at any statement of a batch leaves all of its writes or none", async () => {
      const { records, close } = openRecords(place)
      try {
        let isDone: boolean | undefined
        const outcomes: string[] = []
        for (let at = 0; isDone === undefined; at++) {
          const [added, changed, again, removed] = [aRecord(), aRecord(), aRecord(), aRecord()]
          for (const each of [changed, again, removed]) await records.insert(each, new Date())
          const writes: RecordWrite[] = [
            { write: "insert", record: added },
            { write: "swap", record: { ...changed, data: "2" } },
            { write: "remove", kind: removed.kind, key: removed.key },
            { write: "swap", record: { ...again, data: "2" } },
          ]
          const child = start("record-process.ts")
          isDone = await give(child, { kind: "die", place, at, writes })
          child.kill()
          const versionOf = async ({ kind, key }: StoredRecord) => (await records.get(kind, key))?.version ?? 0
          const versions = await Promise.all([added, changed, removed, again].map(versionOf))
          outcomes.push(versions.join())
        }
        expect(isDone).toBe(true)
        expect(outcomes.slice(0, -1).filter((outcome) => outcome !== "0,1,1,1")).toEqual([])
        expect(outcomes.at(-1)).toBe("1,2,0,2")
        // Redis runs a batch as one script.
        expect(outcomes.length).toBeGreaterThan(place.kind === "Redis" ? 1 : 6)
      } finally {
        await close()
      }
    })
  })
}
