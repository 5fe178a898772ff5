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
