/** A map that drops expired entries and, when it's full, the oldest ones. Times are milliseconds since 1970. */
export interface BoundedMap<K, V> {
  /** @param now an entry that expired by then is gone. @default no entry is expired */
  get(key: K, now?: number): V | undefined
  /** Writes the entry as the newest. @param times when it expires, by default never */
  set(key: K, value: V, times?: { readonly expires: number; readonly now: number }): void
}

interface Entry<V> {
  readonly value: V
  readonly expires: number
}

/** @param maxEntries what the entries may cost in memory is for the caller to know */
export function createBoundedMap<K, V>(maxEntries: number): BoundedMap<K, V> {
  const entries = new Map<K, Entry<V>>()

  /** Entries live equally long, so the oldest expire first and the search ends at the first that hasn't. */
  function dropOldest(now: number): void {
    for (const [key, { expires }] of entries) {
      if (expires > now && entries.size <= maxEntries) break
      entries.delete(key)
    }
  }

  return {
    get(key, now = Number.NEGATIVE_INFINITY) {
      const entry = entries.get(key)
      return entry === undefined || entry.expires <= now ? undefined : entry.value
    },
    set(key, value, { expires, now } = { expires: Number.POSITIVE_INFINITY, now: Number.NEGATIVE_INFINITY }) {
      entries.delete(key)
      entries.set(key, { value, expires })
      dropOldest(now)
    },
  }
}
