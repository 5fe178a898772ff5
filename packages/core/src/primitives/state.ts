import { within } from "./runtime.js"

/**
 * State that this process has once. A bundler may copy this module, for instance into the pages and into the route
 * handlers of a Next.js app, and a variable of the module would then exist once per copy.
 */
export function processState<T>(name: string, create: () => T): T {
  const key = Symbol.for(`@latchkey/core/${name}`)
  const states = globalThis as { [state: symbol]: unknown }
  // The symbol belongs to this package and each name to one type.
  return (states[key] ??= create()) as T
}

/** `scope` identifies the site; see `config/site.ts`. */
export interface Scoped {
  readonly scope: object
}

/**
 * State of this process for each site. A configuration function may return a new object for each request, and the state
 * must not start anew with it.
 */
export function scopedToSite<T, A extends Scoped = Scoped>(name: string, create: (auth: A) => T): (auth: A) => T {
  return scoped(`site/${name}`, ({ scope }) => scope, create)
}

/** What was logged already. It may start anew with another configuration object, so no memory of used values is kept there. */
export function scopedToApplication<T, A extends { readonly application: object } = { readonly application: object }>(
  name: string,
  create: (auth: A) => T,
): (auth: A) => T {
  return scoped(`application/${name}`, ({ application }) => application, create)
}

/** State of this process for each clock, so once outside of tests. It has one maximum for all sites. */
export function scopedToClock<T, A extends Clocked = Clocked>(name: string, create: (auth: A) => T): (auth: A) => T {
  return scoped(`clock/${name}`, ({ scope }) => scope.clock, create)
}

interface Clocked {
  readonly scope: { readonly clock: object }
}

function scoped<T, A>(name: string, keyOf: (auth: A) => object, create: (auth: A) => T): (auth: A) => T {
  const states = processState(name, () => new WeakMap<object, T>())
  return (auth) => {
    const key = keyOf(auth)
    const state = states.get(key) ?? create(auth)
    states.set(key, state)
    return state
  }
}

/** A map that drops expired entries and, when it's full, the oldest ones. Times are milliseconds since 1970. */
export interface BoundedMap<K, V> {
  /** @param now an entry that expired by then is gone. @default no entry is expired */
  get(key: K, now?: number): V | undefined
  /** Writes the entry as the newest. @param times when it expires, by default never */
  set(key: K, value: V, times?: Times): void
}

interface Times {
  readonly expires: number
  readonly now: number
}

interface Capacity<K, V> {
  readonly entries: number
  /** What all entries together may weigh, such as characters. */
  readonly weight: number
  weigh(key: K, value: V): number
}

const always: Times = { expires: Number.POSITIVE_INFINITY, now: Number.NEGATIVE_INFINITY }

interface Entry<V> {
  readonly value: V
  readonly expires: number
  readonly weight: number
}

/**
 * @param capacity a number of entries that are equally small, or also what they may weigh. An entry that weighs more than all
 *   may isn't kept
 */
export function createBoundedMap<K, V>(capacity: number | Capacity<K, V>): BoundedMap<K, V> {
  const entries = new Map<K, Entry<V>>()
  const { entries: maxEntries, weight: maxWeight, weigh } = typeof capacity === "number" ? equal(capacity) : capacity
  let total = 0

  function remove(key: K): void {
    total -= entries.get(key)?.weight ?? 0
    entries.delete(key)
  }

  /** Entries live equally long, so the oldest expire first and the search ends at the first that hasn't. */
  function dropOldest(now: number): void {
    for (const [key, { expires }] of entries) {
      if (expires > now && entries.size <= maxEntries && total <= maxWeight) break
      remove(key)
    }
  }

  return {
    get(key, now = Number.NEGATIVE_INFINITY) {
      const entry = entries.get(key)
      return entry === undefined || entry.expires <= now ? undefined : entry.value
    },
    set(key, value, { expires, now } = always) {
      const weight = weigh(key, value)
      remove(key)
      if (weight > maxWeight) return
      entries.set(key, { value, expires, weight })
      total += weight
      dropOldest(now)
    },
  }
}

function equal(entries: number): Capacity<unknown, unknown> {
  return { entries, weight: 0, weigh: () => 0 }
}

/** Work that hangs blocks the next holder of its key for this long at most. Milliseconds. */
const timeoutMs = 10_000

/** Serializes work by key, in the memory of this process. */
export interface KeyedMutex {
  /** Runs `work` after all earlier work with the same key, or one of the same keys, whether that succeeded or failed. */
  runExclusive<T>(keys: string | readonly string[], work: () => Promise<T>): Promise<T>
  /** Runs `work` unless other work holds the key: `undefined` then. */
  tryExclusive<T>(key: string, work: () => Promise<T>): Promise<T | undefined>
}

export function createKeyedMutex(): KeyedMutex {
  const last = new Map<string, Promise<unknown>>()

  async function hold<T>(keys: readonly string[], mine: Promise<T>): Promise<T> {
    const settled = mine.catch(() => undefined)
    for (const key of keys) last.set(key, settled)
    try {
      return await mine
    } finally {
      for (const key of keys) if (last.get(key) === settled) last.delete(key)
    }
  }

  return {
    runExclusive(given, work) {
      const keys = [given].flat()
      const earlier = keys.flatMap((key) => last.get(key) ?? [])
      if (earlier.length === 0) return hold(keys, work())
      return hold(keys, within(timeoutMs, Promise.all(earlier), () => undefined).then(work))
    },
    tryExclusive: async (key, work) => (last.has(key) ? undefined : hold([key], work())),
  }
}

/** The mutex for work on the rows of one site. */
export const mutexOf: (auth: Scoped) => KeyedMutex = scopedToSite("mutex", createKeyedMutex)
