import { type Commands, isOne } from "../client.js"
import type { Script } from "../script.js"

/** A stored object, with the text that it was read from. */
export interface Stored {
  readonly text: string
  readonly fields: Readonly<Record<string, unknown>>
}

/** How long a record lives: milliseconds, or until it is deleted. */
export type Lifetime = number | "forever"

/**
 * Records as JSON. A change replaces a record only if it's still the one that was read, so a change never brings back a
 * record that was deleted, and parallel changes don't lose each other's fields.
 */
export interface Records {
  read(key: string): Promise<Stored | null>
  /** The text of a key that isn't JSON, such as an id. */
  readText(key: string): Promise<string | null>
  /** `false`: the key is taken. */
  insert(key: string, text: string, lifetime: Lifetime): Promise<boolean>
  /** `false`: the key has another text by now, or none. */
  replace(key: string, change: Replacement): Promise<boolean>
  /** `false`: the key has another text by now, or none. */
  remove(key: string, text: string): Promise<boolean>
  /** Sets the key, whatever it has. */
  put(key: string, text: string, lifetime: Lifetime): Promise<void>
  /** Makes a key permanent that expires. `false`: it already expired. */
  keep(key: string): Promise<boolean>
}

export interface Replacement {
  readonly from: string
  readonly to: string
  /** "unchanged": when it would have expired anyway. */
  readonly lifetime: Lifetime | "unchanged"
}

export function recordsIn({ get, run }: Commands): Records {
  const succeeds = async (script: Script, key: string, values: readonly string[]): Promise<boolean> =>
    isOne(await run(script, key, values))
  return {
    read: async (key) => {
      const text = await get(key)
      if (text === null) return null
      const fields = fieldsOf(text)
      return fields === null ? null : { text, fields }
    },
    readText: get,
    insert: (key, text, lifetime) => succeeds(insert, key, [text, milliseconds(lifetime)]),
    replace: (key, { from, to, lifetime }) => succeeds(replace, key, [from, to, milliseconds(lifetime)]),
    remove: (key, text) => succeeds(remove, key, [text]),
    put: async (key, text, lifetime) => void (await run(put, key, [text, milliseconds(lifetime)])),
    keep: (key) => succeeds(keep, key, []),
  }
}

/** What a read will return for this text. */
export function asStored(text: string): Stored {
  const fields = fieldsOf(text)
  if (fields === null) throw new TypeError("The record isn't an object. Pass an object with the fields to store.")
  return { text, fields }
}

/** `null` for text that isn't an object: two prefixes of the layout start alike, so a key may have something else. */
function fieldsOf(text: string): Readonly<Record<string, unknown>> | null {
  if (!text.startsWith("{")) return null
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value)) : null
  } catch {
    return null
  }
}

function milliseconds(lifetime: Lifetime | "unchanged"): string {
  return typeof lifetime === "number" ? String(Math.ceil(lifetime)) : lifetime
}

const insert = {
  text: `
local set
if ARGV[2] == "forever" then set = redis.call("SET", KEYS[1], ARGV[1], "NX")
else set = redis.call("SET", KEYS[1], ARGV[1], "NX", "PX", ARGV[2]) end
if set then return 1 end
return 0`,
}

const replace = {
  text: `
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[3] == "forever" then redis.call("SET", KEYS[1], ARGV[2])
elseif ARGV[3] == "unchanged" then redis.call("SET", KEYS[1], ARGV[2], "KEEPTTL")
else redis.call("SET", KEYS[1], ARGV[2], "PX", ARGV[3]) end
return 1`,
}

const remove = {
  text: `
if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call("DEL", KEYS[1])`,
}

const put = {
  text: `
if ARGV[2] == "forever" then redis.call("SET", KEYS[1], ARGV[1])
else redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[2]) end
return 1`,
}

const keep = {
  text: `
redis.call("PERSIST", KEYS[1])
return redis.call("EXISTS", KEYS[1])`,
}
