import type { Storage } from "unstorage"
import { normalizeKey } from "./keys.js"
import { type Atomic, atomicOf, type TextChange } from "./redis.js"

/** Reads and writes of single keys. Each write is atomic if the driver has a way to do it. */
export interface Items {
  /** A row, or the value of a key that only points to another one. `undefined`: there is none. */
  read(key: string): Promise<unknown>
  /** Writes a key that the caller found empty. `false`: another process was first. */
  create(key: string, value: unknown): Promise<boolean>
  /** Changes a key that the caller found. `false`: another process deleted it. */
  overwrite(key: string, value: unknown): Promise<boolean>
  /** Deletes a key that the caller found. `false`: another process was first. */
  remove(key: string): Promise<boolean>
  /** Writes a key if it still has the value that the caller found. */
  exchange(key: string, before: unknown, value: unknown): Promise<boolean>
  /** Writes all keys if each of them still has what the caller found. */
  commit(changes: readonly Change[]): Promise<boolean>
  /** Finishes a `commit` of a process that ended in the middle of it. */
  recover(): Promise<void>
  /** Whether these steps are atomic for all processes, as far as it's known. */
  isAtomic(): boolean
  /** Writes a key without looking at it. */
  write(key: string, value: unknown): Promise<void>
  /** Reads every key with this prefix. */
  scan(prefix: string): AsyncIterable<{ readonly key: string; readonly value: unknown }>
}

/** Without `before`, there was none. Without `after`, it's deleted. */
export interface Change {
  readonly key: string
  readonly before?: object
  readonly after?: object
}

/** Reads of a scan that run at once. */
const scanBatch = 64

/** @param journal the key with the changes that a `commit` is about to write */
export function createItems(storage: Storage, useItemRaw: boolean, journal: string): Items {
  let isAtomic = !useItemRaw && storage.getMount(journal).driver.name === "redis"
  const atomic = useItemRaw ? async () => undefined : atomicByDriver(storage)
  const encode = (value: unknown) => JSON.stringify(value)
  const get = (key: string) => (useItemRaw ? storage.getItemRaw<unknown>(key) : storage.getItem(key))
  const read = async (key: string) => decode(rejectError(await get(key)))
  const write = async (key: string, value: unknown) => {
    if (!useItemRaw) await storage.setItem(key, encode(value))
    else await storage.setItemRaw(key, Array.isArray(value) ? encode(value) : copyOf(value))
  }
  const apply = async (changes: readonly Change[]) => {
    for (const { key, after } of changes) await (after ? write(key, after) : storage.removeItem(key))
  }
  let isRecovered = false
  return {
    read,
    write,
    create: async (key, value) => {
      const steps = await atomic(key)
      return steps ? steps.create(key, encode(value)) : done(write(key, value))
    },
    overwrite: async (key, value) => {
      const steps = await atomic(key)
      return steps ? steps.overwrite(key, encode(value)) : done(write(key, value))
    },
    remove: async (key) => {
      const steps = await atomic(key)
      return steps ? steps.remove(key) : done(storage.removeItem(key))
    },
    exchange: async (key, before, value) => {
      const steps = await atomic(key)
      if (!steps) return done(write(key, value))
      // What `@auth/unstorage-adapter` wrote has no quotes.
      return (
        (await steps.exchange(key, encode(before), encode(value))) || steps.exchange(key, String(before), encode(value))
      )
    },
    commit: async (changes) => {
      const [first] = changes
      if (!first) return true
      const steps = await atomic(first.key)
      isAtomic = steps !== undefined
      if (steps) return steps.exchangeAll(changes.map((change) => mapped(change, encode)))
      if (changes.length > 1) await write(journal, changes)
      await apply(changes)
      if (changes.length > 1) await storage.removeItem(journal)
      return true
    },
    recover: async () => {
      if (isRecovered) return
      const changes = isAtomic ? undefined : await read(journal)
      if (Array.isArray(changes)) {
        await apply(changes)
        await storage.removeItem(journal)
      }
      isRecovered = true
    },
    isAtomic: () => isAtomic,
    scan: (prefix) => scan(storage, prefix, read),
  }
}

function mapped({ key, before, after }: Change, encode: (value: object) => string): TextChange {
  return { key, ...(before && { before: encode(before) }), ...(after && { after: encode(after) }) }
}

/** Without a primitive of the driver, the lock of this process makes sure that nothing changes in between. */
async function done(write: Promise<void>): Promise<true> {
  await write
  return true
}

/** Mounts can have different drivers. */
function atomicByDriver(storage: Storage): (key: string) => Promise<Atomic | undefined> {
  const found = new WeakMap<object, Promise<Atomic | undefined>>()
  return async (key) => {
    const { driver } = storage.getMount(key)
    const known = found.get(driver) ?? atomicOf(storage, key)
    found.set(driver, known)
    try {
      return await known
    } catch (error) {
      found.delete(driver)
      throw error
    }
  }
}

async function* scan(storage: Storage, prefix: string, read: Items["read"]): ReturnType<Items["scan"]> {
  // unstorage only lists whole segments, so a prefix such as `session-` is compared here. In patterns of Redis, `[` is special.
  const [plain = ""] = prefix.split("[")
  const segments = plain.slice(0, plain.lastIndexOf(":") + 1)
  const start = normalizeKey(`${prefix}x`).slice(0, -1)
  const keys = (await storage.getKeys(segments)).filter((key) => key.startsWith(start))
  for (let index = 0; index < keys.length; index += scanBatch) {
    const batch = keys.slice(index, index + scanBatch)
    yield* await Promise.all(batch.map(async (key) => ({ key, value: await read(key) })))
  }
}

/** What is read from a key that the driver can't have: there is no row, and none can be written. */
const impossible = Symbol("impossible")
/** The same for a key that is too long for the driver. */
export const tooLong: symbol = Symbol("too long")

/**
 * The drivers for files return an error instead of rejecting with it. A key below another key, or one that is too long, can't be
 * the name of a file.
 */
function rejectError(stored: unknown): unknown {
  if (!(stored instanceof Error)) return stored
  const code: unknown = Reflect.get(stored, "code")
  if (code === "ENAMETOOLONG") return tooLong
  if (code === "ENOTDIR") return impossible
  throw stored
}

/** `getItem` parses JSON. `getItemRaw` returns what the driver has: an object, a text or bytes. */
function decode(stored: unknown): unknown {
  if (stored === null || stored === undefined) return undefined
  if (stored instanceof Uint8Array) return decode(new TextDecoder().decode(stored))
  if (typeof stored !== "string" || !/^["[{]/.test(stored)) return stored
  try {
    return JSON.parse(stored)
  } catch {
    return stored
  }
}

/** A driver in memory keeps the object itself, which the caller may change later. */
function copyOf(value: unknown): unknown {
  return typeof value === "object" ? JSON.parse(JSON.stringify(value)) : value
}
