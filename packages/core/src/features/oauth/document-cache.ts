import type { Fetch } from "../../model/provider.js"
import { type BoundedMap, createBoundedMap } from "../../primitives/state.js"

/** How long a document serves while it can't be loaded again. Milliseconds. */
const staleForMs = 24 * 3_600_000

/** The pause after a failed or forced load. Milliseconds. */
const coolDownMs = 30_000

/** After this many failures in a row nothing is loaded during the pause. */
const maxFailures = 5

/** Issuers may be entered at run time, so the number of documents per transport is limited. */
const maxEntries = 500

/** Where a document comes from. Documents of one transport never serve another. */
export interface CacheKey {
  readonly fetch: Fetch
  readonly url: string
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface DocumentCache<T> {
  /** The cached document, or the result of `load`. Concurrent callers share one load. */
  get(key: CacheKey, load: () => Promise<T>): Promise<T>
  /** Loads again, at most twice a minute. `undefined`: not yet. */
  renew(key: CacheKey, load: () => Promise<T>): Promise<T | undefined>
}

interface Slot<T> {
  kept?: { readonly value: T; readonly at: number }
  pending?: Promise<T> | undefined
  /** When a load failed or was forced last. */
  triedAt: number
  /** Since the last success. */
  failed: Failures
}

interface Failures {
  readonly times: number
  readonly at: number
  readonly cause: unknown
}

const noFailures: Failures = { times: 0, at: 0, cause: undefined }

/** @param freshForMs how long a document serves before it's loaded again, in milliseconds */
export function createDocumentCache<T>(freshForMs: number): DocumentCache<T> {
  const slots = new WeakMap<Fetch, BoundedMap<string, Slot<T>>>()
  return {
    async get(key, load) {
      const slot = slotOf(slots, key)
      const { kept } = slot
      if (kept === undefined || key.now - kept.at >= staleForMs) return loadInto(slot, key, load)
      if (key.now - kept.at < freshForMs || isCoolingDown(slot, key)) return kept.value
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

function slotOf<T>(slots: WeakMap<Fetch, BoundedMap<string, Slot<T>>>, { fetch, url }: CacheKey): Slot<T> {
  const documents = slots.get(fetch) ?? createBoundedMap<string, Slot<T>>(maxEntries)
  slots.set(fetch, documents)
  const known = documents.get(url)
  if (known !== undefined) return known
  const slot: Slot<T> = { triedAt: Number.NEGATIVE_INFINITY, failed: noFailures }
  documents.set(url, slot)
  return slot
}

function isCoolingDown<T>({ triedAt }: Slot<T>, { now }: CacheKey): boolean {
  return now - triedAt < coolDownMs
}

/** A flood of sign-ins must not become a flood of requests to a provider that is down. */
function isBroken<T>({ failed }: Slot<T>, { now }: CacheKey): boolean {
  return failed.times >= maxFailures && Math.abs(now - failed.at) < coolDownMs
}

function loadInto<T>(slot: Slot<T>, key: CacheKey, load: () => Promise<T>): Promise<T> {
  const { now } = key
  if (isBroken(slot, key)) return Promise.reject(slot.failed.cause)
  slot.pending ??= load()
    .then((value) => {
      slot.kept = { value, at: now }
      slot.failed = noFailures
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
