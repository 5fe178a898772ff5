import { within } from "./runtime.js"

/**
 * Everything that outlives a request: counters, marks of what was used, keys, caches. Configurations that share any secret in
 * one process are one site, whatever their mode, and a site has one state.
 */
export interface Site {
  /** Unique in this process. */
  readonly id: string
  /** Identifies the clock. */
  readonly clock: object
  /** Made by {@link stateOf}, by their names. */
  readonly parts: Map<string, unknown>
}

export interface OfSite {
  readonly site: Site
}

interface ProcessState {
  /** What all sites share, so that its size has a limit, however many tenants there are. */
  readonly parts: Map<string, unknown>
  siteOf(secrets: readonly string[], clock: object | undefined): Site
}

/** A bundler may copy this module, for instance into the pages and into the route handlers of a Next.js app. */
const key = Symbol.for("@latchkey/core@0")

function processState(): ProcessState {
  const global = globalThis as { [key]?: ProcessState }
  return (global[key] ??= createProcessState())
}

/** Sites in one process, such as tenants with secrets of their own. The least recently compiled one is forgotten first. */
const maxSites = 10_000

function createProcessState(): ProcessState {
  // In a closure, so that no log of the global object shows the secrets.
  const clocks = new WeakMap<object, BoundedMap<string, Site>>()
  // Not an object of this module, which a copy of it has, too.
  const system = {}
  let count = 0
  return {
    parts: new Map(),
    siteOf(secrets, clock = system) {
      const sites = clocks.get(clock) ?? createBoundedMap<string, Site>(maxSites)
      clocks.set(clock, sites)
      // Configurations without a secret are one site, too: they're all refused, and warn once.
      const keys = secrets.length === 0 ? [""] : secrets
      const known = keys.map((secret) => sites.get(secret)).find((site) => site !== undefined)
      const site = known ?? { id: String(++count), clock, parts: new Map() }
      for (const secret of keys) sites.set(secret, site)
      return site
    },
  }
}

/** @param clock a clock of its own, as tests have one, means a site of its own */
export function siteOf(secrets: readonly string[], clock?: object): Site {
  return processState().siteOf(secrets, clock)
}

/** State of a site, made when it's first needed. */
export function stateOf<T, A extends OfSite = OfSite>(name: string, create: (auth: A) => T): (auth: A) => T {
  return (auth) => partOf(auth.site.parts, name, () => create(auth))
}

/** State that all sites with one clock share, so that its size has a limit, however many tenants there are. */
export function stateOfClock<T, A extends OfSite = OfSite>(name: string, create: (auth: A) => T): (auth: A) => T {
  return (auth) => {
    const { clock } = auth.site
    const states = partOf(processState().parts, name, () => new WeakMap<object, T>())
    const state = states.get(clock) ?? create(auth)
    states.set(clock, state)
    return state
  }
}

/** Each name belongs to one type. */
function partOf<T>(parts: Map<string, unknown>, name: string, create: () => T): T {
  if (!parts.has(name)) parts.set(name, create())
  return parts.get(name) as T
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
export const mutexOf: (auth: OfSite) => KeyedMutex = stateOf("mutex", createKeyedMutex)
