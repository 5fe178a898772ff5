import type { Fetch } from "../../model/provider.js"

/** Milliseconds. */
const staleFor = 24 * 3_600_000
const retryAfter = 30_000
const maxEntries = 500

/** After so many failures in a row the key is left alone for `retryAfter`. */
const maxFailures = 5

/** Where a document comes from: answers of one transport are never given to another. */
export interface CacheKey {
  readonly fetch: Fetch
  readonly url: string
  /** Milliseconds since 1970. */
  readonly now: number
}

interface Slot<T> {
  kept?: { readonly value: T; readonly at: number }
  pending?: Promise<T> | undefined
  /** Of the last attempt beyond the ordinary ones: a failed or a forced one. */
  triedAt: number
  /** Since the last success. */
  failed: Failures
}

interface Failures {
  readonly times: number
  readonly at: number
  readonly cause: unknown
}

const none: Failures = { times: 0, at: 0, cause: undefined }

export interface DocumentCache<T> {
  /** What is fresh, else what `load` brings; concurrent callers share one load, single failures are not kept. */
  get(key: CacheKey, load: () => Promise<T>): Promise<T>
  /** Loads again at most twice a minute; `undefined`: not yet. */
  renew(key: CacheKey, load: () => Promise<T>): Promise<T | undefined>
}

/** Keeps published documents for `freshFor` milliseconds, and for a day while they cannot be loaded again. */
export function createDocumentCache<T>(freshFor: number): DocumentCache<T> {
  const slots = new WeakMap<Fetch, Map<string, Slot<T>>>()
  return {
    async get(key, load) {
      const slot = slotOf(slots, key)
      const { kept } = slot
      if (kept === undefined || key.now - kept.at >= staleFor) return loadInto(slot, key, load)
      if (key.now - kept.at < freshFor || isCoolingDown(slot, key)) return kept.value
      return loadInto(slot, key, load).catch(() => {
        slot.triedAt = key.now
        return kept.value
      })
    },
    async renew(key, load) {
      const slot = slotOf(slots, key)
      if (slot.pending !== undefined) return slot.pending
      if (isCoolingDown(slot, key)) return undefined
      slot.triedAt = key.now
      return loadInto(slot, key, load)
    },
  }
}

function slotOf<T>(slots: WeakMap<Fetch, Map<string, Slot<T>>>, { fetch, url }: CacheKey): Slot<T> {
  const places = slots.get(fetch) ?? new Map<string, Slot<T>>()
  slots.set(fetch, places)
  const known = places.get(url)
  if (known !== undefined) return known
  // Issuers may be entered at run time: the oldest give way.
  for (const oldest of places.keys()) if (places.size >= maxEntries) places.delete(oldest)
  const slot: Slot<T> = { triedAt: Number.NEGATIVE_INFINITY, failed: none }
  places.set(url, slot)
  return slot
}

function isCoolingDown<T>({ triedAt }: Slot<T>, { now }: CacheKey): boolean {
  return now - triedAt < retryAfter
}

/** A flood of requests must not become a flood towards a server that is down. */
function isBroken<T>({ failed }: Slot<T>, { now }: CacheKey): boolean {
  return failed.times >= maxFailures && Math.abs(now - failed.at) < retryAfter
}

function loadInto<T>(slot: Slot<T>, key: CacheKey, load: () => Promise<T>): Promise<T> {
  const { now } = key
  if (isBroken(slot, key)) return Promise.reject(slot.failed.cause)
  slot.pending ??= load()
    .then((value) => {
      slot.kept = { value, at: now }
      slot.failed = none
      return value
    })
    .catch((cause: unknown) => {
      slot.failed = { times: slot.failed.times + 1, at: now, cause }
      throw cause
    })
    .finally(() => {
      slot.pending = undefined
    })
  return slot.pending
}
