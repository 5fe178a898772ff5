import { newId } from "@latchkey/core/adapters"
import { type Commands, isOne, unexpected } from "../client.js"

/** What the cache has for a key. */
export interface Seen {
  /** JSON, the mark of a write, or `null` for nothing. */
  readonly text: string | null
  /** Redis' time of the read, in milliseconds since 1970. */
  readonly at: number
}

/**
 * Copies of rows. A write to the database first puts a mark in the place of the copy. While the mark is there, readers use
 * the database, and a reader that read the row before the write can't store it after the write.
 *
 * A reader stores a row only within {@link fillMillis} after it looked in the cache, by the clock of Redis. A mark stays
 * longer than that, so no row from before a write is stored after its mark is gone.
 */
export interface Entries {
  look(key: string): Promise<Seen>
  /** Stores a copy if the key still has what was seen. */
  fill(key: string, copy: { readonly seen: Seen; readonly text: string; readonly ttl: number }): Promise<boolean>
  /** Returns the mark. The mark of a deletion stays, because a late update must not bring the copy back. */
  mark(key: string, kind: "update" | "delete"): Promise<string>
  /** Ends an update. With the new row, it replaces the mark. Does nothing if another write came in between. */
  settle(key: string, mark: string, copy?: { readonly text: string; readonly ttl: number }): Promise<void>
}

/** How long a reader may take to read the database, in milliseconds. If it takes longer, its row isn't stored. */
export const fillMillis = 5000

/** How long a write may take, in milliseconds, so that no reader stores the former row while it runs. */
const markMillis = 60_000

/** How long a mark stays after an update, in milliseconds. In a cluster, the clocks of two servers may differ by the rest. */
const settledMillis: number = fillMillis * 2

export function isCopy(text: string | null): text is string {
  return text?.startsWith("{") === true
}

/** The mark of a write. */
export function isMark(text: string | null): boolean {
  return text?.startsWith("update:") === true || text?.startsWith("delete:") === true
}

export function entriesIn({ run }: Commands): Entries {
  return {
    look: async (key) => {
      const answer = await run(look, key, [])
      if (!Array.isArray(answer)) throw unexpected()
      const [at, text]: readonly unknown[] = answer
      return { at: Number(at), text: typeof text === "string" ? text : null }
    },
    fill: async (key, { seen, text, ttl }) => {
      const values = [seen.text ?? "", text, String(ttl), String(seen.at + fillMillis)]
      return isOne(await run(fill, key, values))
    },
    mark: async (key, kind) => {
      const own = `${kind}:${newId()}`
      await run(mark, key, [own, String(markMillis)])
      return own
    },
    settle: async (key, own, copy) => {
      await run(settle, key, [own, copy?.text ?? own, String(copy?.ttl ?? settledMillis)])
    },
  }
}

const now = `
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)`

const look = {
  text: `${now}
return {string.format("%.0f", now), redis.call("GET", KEYS[1])}`,
}

const fill = {
  text: `${now}
if (redis.call("GET", KEYS[1]) or "") ~= ARGV[1] or now > tonumber(ARGV[4]) then return 0 end
redis.call("SET", KEYS[1], ARGV[2], "PX", ARGV[3])
return 1`,
}

const mark = {
  text: `
local before = redis.call("GET", KEYS[1])
if before and before:sub(1, 7) == "delete:" and ARGV[1]:sub(1, 7) ~= "delete:" then return 0 end
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2])
return 1`,
}

const settle = {
  text: `
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
redis.call("SET", KEYS[1], ARGV[2], "PX", ARGV[3])
return 1`,
}
