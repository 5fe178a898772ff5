import {
  assertBatch,
  assertRecord,
  indexEntry,
  type NewRecord,
  pageOf,
  type RecordStore,
  type RecordWrite,
  type StoredRecord,
} from "@latchkey/core/adapters"
import { type Commands, isOne, isStorable, unexpected } from "../client.js"
import * as scripts from "./scripts.js"

/** @param root where all keys start. It has a hash tag, so that they are in one slot of a cluster */
export function recordStore({ run }: Commands, root: string): RecordStore {
  const write = async (writes: readonly RecordWrite[], now: Date, owner?: string) => {
    const values = [String(now.getTime()), JSON.stringify(writes.map(written)), ...(owner === undefined ? [] : [owner])]
    return isOne(await run(scripts.write, root, values))
  }
  const read = async (script: typeof scripts.get, kind: string, key: string) => {
    const name = nameOf({ kind, key })
    return isStorable(name) ? recordOf(name, await run(script, root, [name])) : null
  }
  return {
    atomic: "global",
    get: (kind, key) => read(scripts.get, kind, key),
    take: (kind, key) => read(scripts.take, kind, key),
    find: async (kind, index, { limit, after }) => {
      const values = [...indexEntry(index), kind, String(limit + 1), ...(after === undefined ? [] : [after])]
      if (!values.every(isStorable)) return { records: [] }
      const found = await run(scripts.find, root, values)
      return pageOf(recordsOf(found), limit)
    },
    list: async (kind, { limit, after = "0" }) => {
      const answer = await run(scripts.list, root, [kind, String(limit), after])
      if (!Array.isArray(answer)) throw unexpected()
      const [next, found] = answer as readonly unknown[]
      return { records: recordsOf(found), next: String(next) === "0" ? undefined : String(next) }
    },
    insert: async (record, now) => {
      assertRecord(record)
      return write([{ write: "insert", record }], now)
    },
    swap: async (record, now) => {
      assertRecord(record)
      return write([{ write: "swap", record }], now)
    },
    bump: async ({ owner, limit, now, expiresAt, ...counter }) => {
      const times = [now, expiresAt].map((date) => String(date.getTime()))
      const values = [nameOf(counter), String(limit), ...times, ...(owner === null ? [] : [owner])]
      const count = await run(scripts.bump, root, values)
      return count === null ? null : Number(count)
    },
    remove: async (kind, key) => void (await write([{ write: "remove", kind, key }], new Date(0))),
    batch: async (owner, writes, now) => {
      assertBatch(owner, writes)
      return write(writes, now, owner)
    },
    removeOwned: async (owner) => void (await run(scripts.removeOwned, root, [owner])),
  }
}

/** A kind has no colon. */
function nameOf({ kind, key }: Pick<NewRecord, "kind" | "key">): string {
  return `${kind}:${key}`
}

/** What a script gets: only the fields that aren't `null`, as text, because Lua would round large numbers. */
function written(each: RecordWrite): object {
  if (each.write === "remove") return { write: each.write, name: nameOf(each) }
  const { kind, key, expiresAt, ...others } = each.record
  const fields = Object.entries({ ...others, expiresAt: expiresAt?.getTime() ?? null })
  const given = fields.filter(([, value]) => value !== null).map(([name, value]) => [name, String(value)] as const)
  const texts = [key, ...given.map(([, value]) => value)]
  if (!texts.every(isStorable)) {
    throw new TypeError("The text contains a lone surrogate, which Redis can't store. Remove it.")
  }
  return { write: each.write, name: nameOf({ kind, key }), record: Object.fromEntries(given) }
}

function recordsOf(found: unknown): readonly StoredRecord[] {
  if (!Array.isArray(found)) throw unexpected()
  const records = found.map(([name, flat]: readonly unknown[]) => recordOf(String(name), flat))
  return records.filter((record) => record !== null)
}

/** @param flat names and values of the fields in turns, and none for a record that doesn't exist */
function recordOf(name: string, flat: unknown): StoredRecord | null {
  if (!Array.isArray(flat)) throw unexpected()
  if (flat.length === 0) return null
  const texts = flat.map(String)
  const field = (wanted: string) => texts.find((_, at) => at % 2 === 1 && texts[at - 1] === wanted) ?? null
  const colon = name.indexOf(":")
  const expiresAt = field("expiresAt")
  return {
    kind: name.slice(0, colon),
    key: name.slice(colon + 1),
    owner: field("owner"),
    index1: field("index1"),
    index2: field("index2"),
    data: field("data") ?? "",
    version: Number(field("version")),
    expiresAt: expiresAt === null ? null : new Date(Number(expiresAt)),
  }
}
