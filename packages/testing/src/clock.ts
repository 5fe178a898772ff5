import type { AuthConfig } from "@latchkey/core"

/** A stretch of time; the parts are added up. */
export interface Duration {
  readonly days?: number
  readonly hours?: number
  readonly minutes?: number
  readonly seconds?: number
  readonly milliseconds?: number
}

/** A clock that moves only when told to. */
export interface FrozenClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Moves the clock by milliseconds or a {@link Duration}; a negative one moves it back. */
  advance(by: number | Duration): void
  /** Sets the clock to a moment (milliseconds since 1970, or a date). */
  set(to: number | Date): void
  /** The clock as the configuration takes it: `{ ...config, runtime: clock.runtime }`. */
  readonly runtime: NonNullable<AuthConfig["runtime"]> & { readonly now: () => number }
}

/** 2026-01-01T00:00:00Z: a whole second, in no daylight-saving gap. */
const defaultStart = Date.UTC(2026, 0, 1)

/**
 * A frozen clock.
 *
 * @param start milliseconds since 1970, or a date. Default: 1 January 2026, 00:00 UTC.
 * @example
 * ```ts
 * import { frozenClock } from "@latchkey/testing"
 * const clock = frozenClock()
 * clock.advance({ days: 31 })
 * console.log(new Date(clock.now()).toISOString()) // "2026-02-01T00:00:00.000Z"
 * ```
 */
export function frozenClock(start: number | Date = defaultStart): FrozenClock {
  let moment = Number(start)
  const now = () => moment
  return {
    now,
    advance: (by) => {
      moment += typeof by === "number" ? by : milliseconds(by)
    },
    set: (to) => {
      moment = Number(to)
    },
    runtime: { now },
  }
}

function milliseconds({ days = 0, hours = 0, minutes = 0, seconds = 0, milliseconds: rest = 0 }: Duration): number {
  return (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + rest
}
