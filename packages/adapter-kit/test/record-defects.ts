import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit"
import type { Adapter, RecordStore, StoredRecord } from "@latchkey/core/adapters"
import { type Defect, over } from "./defect.js"

/** A memory adapter with some methods of its records replaced. */
function overRecords(methods: (good: RecordStore, rows: () => readonly StoredRecord[]) => Partial<RecordStore>) {
  return (): Adapter => {
    const good: MemoryAdapter = memoryAdapter()
    return { ...good, records: { ...good.records, ...methods(good.records, () => good.rows().records) } }
  }
}

/** Lets other calls run in between. */
const pause = () => new Promise((resolve) => setTimeout(resolve))

export const recordDefects: readonly Defect[] = [
  {
    what: "an insert replaces a record",
    make: overRecords((good) => ({
      insert: async (record, now) => {
        await good.remove(record.kind, record.key)
        return good.insert(record, now)
      },
    })),
    breaks: ["records.insert", "records.expired"],
  },
  {
    what: "an insert keeps a record that has expired",
    make: overRecords((good) => ({ insert: async (record) => good.insert(record, new Date(0)) })),
    breaks: ["records.expired", "records.race"],
  },
  {
    what: "an insert compares the expiry with the clock of the server",
    make: overRecords((good) => ({ insert: async (record) => good.insert(record, new Date("2026-01-01")) })),
    breaks: ["records.expired", "records.race"],
  },
  {
    what: "a swap ignores the version",
    make: overRecords((good) => ({
      swap: async (record, now) => {
        const found = await good.get(record.kind, record.key)
        return found !== null && good.swap({ ...record, version: found.version }, now)
      },
    })),
    breaks: ["records.swap"],
  },
  {
    what: "a swap brings a removed record back",
    make: overRecords((good) => ({
      swap: async (record, now) => {
        const isThere = (await good.get(record.kind, record.key)) !== null
        return isThere ? good.swap(record, now) : good.insert(record, now)
      },
    })),
    breaks: ["records.swap"],
  },
  {
    what: "a swap keeps the index",
    make: overRecords((good) => ({
      swap: async (record, now) => {
        const found = await good.get(record.kind, record.key)
        return good.swap({ ...record, index1: found?.index1 ?? null }, now)
      },
    })),
    breaks: ["records.swap", "records.moves"],
  },
  {
    what: "take reads and deletes in two steps",
    make: overRecords((good) => ({
      take: async (kind, key) => {
        const found = await good.get(kind, key)
        await pause()
        await good.remove(kind, key)
        return found
      },
    })),
    breaks: ["records.race"],
  },
  {
    what: "take keeps the record",
    make: overRecords((good) => ({ take: async (kind, key) => good.get(kind, key) })),
    breaks: ["records.take", "records.race", "records.moves", "records.list"],
  },
  {
    what: "remove does nothing",
    make: overRecords(() => ({ remove: async () => undefined })),
    breaks: ["records.remove", "records.swap"],
  },
  {
    what: "a bump reads and writes in two steps",
    make: overRecords((good) => ({
      bump: async (bump) => {
        const found = await good.get(bump.kind, bump.key)
        await pause()
        const isCurrent = found?.expiresAt && found.expiresAt > bump.now
        const count = isCurrent ? Number(found.data) + 1 : 1
        if (count > bump.limit) return null
        await good.remove(bump.kind, bump.key)
        const expiresAt = isCurrent ? found.expiresAt : bump.expiresAt
        await good.insert({ ...bump, index1: null, index2: null, data: String(count), expiresAt }, bump.now)
        return count
      },
    })),
    breaks: ["records.bump"],
  },
  {
    what: "a bump extends the time of its counter",
    make: overRecords((good) => ({
      bump: async (bump) => {
        const count = await good.bump(bump)
        const found = await good.get(bump.kind, bump.key)
        if (found) await good.swap({ ...found, expiresAt: bump.expiresAt }, bump.now)
        return count
      },
    })),
    breaks: ["records.bump"],
  },
  {
    what: "a bump compares the expiry with the clock of the server",
    make: overRecords((good) => ({ bump: async (bump) => good.bump({ ...bump, now: new Date("2026-01-01") }) })),
    breaks: ["records.clock"],
  },
  {
    what: "a batch does its writes one by one",
    make: overRecords((good) => ({
      batch: async (owner, writes, now) => {
        for (const write of writes) if (!(await good.batch(owner, [write], now))) return false
        return true
      },
    })),
    breaks: ["records.batch-none", "records.batch-race", "records.batch-owner"],
  },
  {
    what: "parallel batches get in between the writes of each other",
    make: overRecords((good) => ({
      batch: async (owner, writes, now) => {
        await pause()
        const swaps = writes.map(async (each) => {
          if (each.write !== "swap") return each
          const found = await good.get(each.record.kind, each.record.key)
          return { write: "swap", record: { ...each.record, version: found?.version ?? 0 } } as const
        })
        return good.batch(owner, await Promise.all(swaps), now)
      },
    })),
    breaks: ["records.batch-none", "records.batch-race"],
  },
  {
    what: "a batch skips removals",
    make: overRecords((good) => ({
      batch: async (owner, writes, now) =>
        good.batch(
          owner,
          writes.filter(({ write }) => write !== "remove"),
          now,
        ),
    })),
    breaks: ["records.batch", "records.batch-owner"],
  },
  {
    what: "a batch removes records of others",
    make: overRecords((good) => ({
      batch: async (owner, writes, now) => {
        const isDone = await good.batch(owner, writes, now)
        for (const each of writes) if (isDone && each.write === "remove") await good.remove(each.kind, each.key)
        return isDone
      },
    })),
    breaks: ["records.batch-owner"],
  },
  {
    what: "only the first page is found",
    make: overRecords((good) => ({
      find: async (kind, index, page) => ({ records: (await good.find(kind, index, page)).records }),
    })),
    breaks: ["records.find"],
  },
  {
    what: "pages overlap",
    make: overRecords((good) => ({
      find: async (kind, index, page) => {
        const found = await good.find(kind, index, page)
        if (found.next === undefined || found.records.length < 2) return found
        return { ...found, next: found.records.at(-2)?.key }
      },
    })),
    breaks: ["records.find"],
  },
  {
    what: "only the first page is listed",
    make: overRecords((good) => ({
      list: async (kind, page) => ({ records: (await good.list(kind, page)).records }),
    })),
    breaks: ["records.list"],
  },
  {
    what: "kinds that begin alike are listed together",
    make: overRecords((_, rows) => ({
      list: async (kind) => ({ records: rows().filter((row) => row.kind.startsWith(kind)) }),
    })),
    breaks: ["records.list"],
  },
  {
    what: "find ignores the kind",
    make: overRecords((good, rows) => ({
      find: async (kind, index, page) => {
        const kinds = new Set([kind, ...rows().map((row) => row.kind)])
        const found = await Promise.all([...kinds].map(async (each) => good.find(each, index, page)))
        return { ...found[0], records: found.flatMap(({ records }) => records).slice(0, page.limit) }
      },
    })),
    breaks: ["records.find"],
  },
  {
    what: "keys are compared without their case",
    make: overRecords((good) => ({
      get: async (kind, key) => good.get(kind, key.toLowerCase()),
      take: async (kind, key) => good.take(kind, key.toLowerCase()),
      remove: async (kind, key) => good.remove(kind, key.toLowerCase()),
      insert: async (record, now) => good.insert({ ...record, key: record.key.toLowerCase() }, now),
    })),
    breaks: ["records.exact"],
  },
  {
    what: "spaces at the end of an owner are ignored",
    make: overRecords((good, rows) => ({
      removeOwned: async (owner) => {
        for (const row of rows()) if (row.owner?.trimEnd() === owner.trimEnd()) await good.remove(row.kind, row.key)
      },
    })),
    breaks: ["records.exact"],
  },
  {
    what: "data is cut off after 64 KiB",
    make: overRecords((good) => ({
      insert: async (record, now) => good.insert({ ...record, data: record.data.slice(0, 65_535) }, now),
    })),
    breaks: ["records.values"],
  },
  {
    what: "the expiry is stored in seconds",
    make: overRecords((good) => ({
      get: async (kind, key) => {
        const found = await good.get(kind, key)
        const seconds = found?.expiresAt && Math.floor(found.expiresAt.getTime() / 1000)
        return found && { ...found, expiresAt: seconds ? new Date(seconds * 1000) : null }
      },
    })),
    breaks: [
      "records.insert",
      "records.expired",
      "records.swap",
      "records.bump",
      "records.batch",
      "records.values",
      "records.batch-none",
      "records.owned",
    ],
  },
  {
    what: "deleteUser keeps the records",
    make: over((good) => {
      const records = memoryAdapter().records
      return { ...good, records }
    }),
    breaks: ["records.owned"],
  },
]
