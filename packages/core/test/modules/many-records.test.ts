import { type MemoryAdapter, memoryAdapter } from "@latchkey/adapter-kit/memory"
import type { RecordStore } from "@latchkey/core/adapters"
import { defineModule, owner, record, text } from "@latchkey/core/module"
import { createServer } from "@latchkey/core/server"
import { captureLog } from "@latchkey/testing"
import { expect, test } from "vitest"
import { code } from "./setup.js"

const records = { note: record({ id: text(), userId: owner(), topic: text() }, { key: ["id"], index: ["topic"] }) }

interface Found {
  readonly ids: readonly string[]
  readonly next: string | undefined
}

interface Notes {
  add(id: string): Promise<boolean>
  read(how: "owner" | "index" | "list", page?: { readonly limit?: number; readonly after?: string }): Promise<Found>
}

const notes = () =>
  defineModule<"notes", Notes, typeof records>({
    id: "notes",
    records,
    members: ["add", "read"],
    load: async () => ({
      server: ({ records: { note } }) => ({
        add: async (id) => note.insert({ id, userId: "ada", topic: "locks" }),
        async read(how, page) {
          const by = how === "owner" ? { userId: "ada" } : { topic: "locks" }
          const { items, next } = how === "list" ? await note.list(page) : await note.find(by, page)
          return { ids: items.map(({ id }) => id), next }
        },
      }),
    }),
  })

function notesIn(adapter: MemoryAdapter, store: RecordStore = adapter.records): Notes {
  const config = {
    providers: [code],
    modules: [notes()],
    adapter,
    records: store,
    logger: captureLog().logger,
    secret: "a-secret-0123456789abcdefghijklmn",
  }
  return createServer(config).members["notes"] as unknown as Notes
}

/** Records of Ada that have expired, and come before all others. */
async function expire({ records: store }: MemoryAdapter, count: number): Promise<void> {
  const rest = { kind: "notes.note", owner: "ada", index1: "locks", index2: null, data: "{}", expiresAt: new Date(1) }
  for (let each = 0; each < count; each++)
    await store.insert({ key: `!${String(each).padStart(4, "0")}`, ...rest }, new Date(0))
}

test.each(["owner", "index", "list"] as const)(
  "every record is found by %s, behind pages that have expired",
  async (how) => {
    const adapter = memoryAdapter()
    await expire(adapter, 250)
    const its = notesIn(adapter)
    for (const id of ["one", "two"]) await its.add(id)
    expect(await its.read(how)).toEqual({ ids: ["one", "two"], next: undefined })
  },
)

test("a module that asks for pages gets those that are empty, too", async () => {
  const adapter = memoryAdapter()
  await expire(adapter, 3)
  const its = notesIn(adapter)
  await its.add("one")
  const first = await its.read("owner", { limit: 3 })
  expect(first).toEqual({ ids: [], next: "!0002" })
  expect(await its.read("owner", { limit: 3, after: String(first.next) })).toEqual({ ids: ["one"], next: undefined })
})

test("a record that a store lists on two pages is found once", async () => {
  const adapter = memoryAdapter()
  const { records: store } = adapter
  const twice: RecordStore = {
    ...store,
    async list(kind, page) {
      const found = await store.list(kind, page)
      return page.after === undefined ? { ...found, next: "" } : found
    },
  }
  const its = notesIn(adapter, twice)
  await its.add("one")
  expect(await its.read("list")).toEqual({ ids: ["one"], next: undefined })
})
