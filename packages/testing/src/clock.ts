import type { AuthConfig } from "@latchkey/core"

/** A duration. Its parts are added up. */
export interface Duration {
  readonly days?: number
  readonly hours?: number
  readonly minutes?: number
  readonly seconds?: number
  readonly milliseconds?: number
}

/** A clock that stands still until you move it. */
export interface FrozenClock {
  /** The time of the clock in milliseconds since 1970. */
  now(): number
  /** Moves the clock by milliseconds or a {@link Duration}. Negative values move it back. */
  advance(by: number | Duration): void
  /** Sets the clock to a date, or to milliseconds since 1970. */
  set(to: number | Date): void
  /** The clock for a configuration: `{ ...config, runtime: clock.runtime }`. */
  readonly runtime: NonNullable<AuthConfig["runtime"]> & { readonly now: () => number }
}

const defaultStart = Date.UTC(2026, 0, 1)

/**
 * Creates a frozen clock.
 *
 * @param start a date, or milliseconds since 1970. Default: January 1, 2026, 00:00 UTC.
 * @example
 * ```ts
 * import { frozenClock } from "@latchkey/testing"
 * const clock = frozenClock()
 * clock.advance({ days: 31 })
 * console.log(new Date(clock.now()).toISOString()) // "2026-02-01T00:00:00.000Z"
 * ```
 */
export function frozenClock(start: number | Date = defaultStart): FrozenClock {
  let current = Number(start)
  const now = () => current
  return {
    now,
    advance: (by) => {
      current += typeof by === "number" ? by : milliseconds(by)
    },
    set: (to) => {
      current = Number(to)
    },
    runtime: { now },
  }
}

function milliseconds({ days = 0, hours = 0, minutes = 0, seconds = 0, milliseconds: rest = 0 }: Duration): number {
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + rest
}
