import { createBoundedMap } from "../primitives/state.js"

/** Lets an event through once in a while. */
export interface Throttle {
  /** @param now milliseconds since 1970 */
  allows(event: string, listener: object, now: number): boolean
}

interface Entry {
  readonly since: number
  count: number
  readonly listeners: WeakSet<object>
}

interface ThrottleOptions {
  /** @default forever */
  readonly intervalMs?: number
  /** Configurations of one site can have several loggers, or a new one for each request. */
  readonly maxListeners: number
}

const maxEvents = 1000

/** Each event once per interval and listener, and for a limited number of listeners. */
export function createThrottle({ intervalMs = Number.POSITIVE_INFINITY, maxListeners }: ThrottleOptions): Throttle {
  const entries = createBoundedMap<string, Entry>(maxEvents)
  return {
    allows(event, listener, now) {
      const known = entries.get(event)
      const isCurrent = known !== undefined && Math.abs(now - known.since) < intervalMs
      const entry = isCurrent ? known : { since: now, count: 0, listeners: new WeakSet<object>() }
      if (entry.listeners.has(listener) || entry.count >= maxListeners) return false
      entry.count += 1
      entry.listeners.add(listener)
      entries.set(event, entry)
      return true
    },
  }
}
