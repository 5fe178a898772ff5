import type { Fetch } from "../../model/provider.js"

/** Milliseconds. */
const staleFor = 24 * 3_600_000
const retryAfter = 30_000
const mostPlaces = 500

/** After so many failures in a row the place is left alone for `retryAfter`. */
const mostFailures = 5

/** Where a document comes from: answers of one transport are never given to another. */
export interface Place {
  readonly fetch: Fetch
  readonly address: string
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

export interface Keeper<T> {
  /** What is fresh, else what `load` brings; concurrent callers share one load, single failures are not kept. */
  get(place: Place, load: () => Promise<T>): Promise<T>
  /** Loads again at most twice a minute; `undefined`: not yet. */
  renew(place: Place, load: () => Promise<T>): Promise<T | undefined>
}

/** Keeps published documents for `freshFor` milliseconds, and for a day while they cannot be loaded again. */
export function keeper<T>(freshFor: number): Keeper<T> {
  const slots = new WeakMap<Fetch, Map<string, Slot<T>>>()
  return {
    async get(place, load) {
      const slot = slotOf(slots, place)
      const { kept } = slot
      if (kept === undefined || place.now - kept.at >= staleFor) return loadInto(slot, place, load)
      if (place.now - kept.at < freshFor || rests(slot, place)) return kept.value
      return loadInto(slot, place, load).catch(() => {
        slot.triedAt = place.now
        return kept.value
      })
    },
    async renew(place, load) {
      const slot = slotOf(slots, place)
      if (slot.pending !== undefined) return slot.pending
      if (rests(slot, place)) return undefined
      slot.triedAt = place.now
      return loadInto(slot, place, load)
    },
  }
}

function slotOf<T>(slots: WeakMap<Fetch, Map<string, Slot<T>>>, { fetch, address }: Place): Slot<T> {
  const places = slots.get(fetch) ?? new Map<string, Slot<T>>()
  slots.set(fetch, places)
  const known = places.get(address)
  if (known !== undefined) return known
  // Issuers may be entered at run time: the oldest give way.
  for (const oldest of places.keys()) if (places.size >= mostPlaces) places.delete(oldest)
  const slot: Slot<T> = { triedAt: Number.NEGATIVE_INFINITY, failed: none }
  places.set(address, slot)
  return slot
}

function rests<T>({ triedAt }: Slot<T>, { now }: Place): boolean {
  return now - triedAt < retryAfter
}

/** A flood of requests must not become a flood towards a server that is down. */
function isBroken<T>({ failed }: Slot<T>, { now }: Place): boolean {
  return failed.times >= mostFailures && Math.abs(now - failed.at) < retryAfter
}

function loadInto<T>(slot: Slot<T>, place: Place, load: () => Promise<T>): Promise<T> {
  const { now } = place
  if (isBroken(slot, place)) return Promise.reject(slot.failed.cause)
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
