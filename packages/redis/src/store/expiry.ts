import { millisecondsOf } from "./codec.js"

/**
 * How long a record lives longer than its date says, in milliseconds: the clocks of two servers differ. The engine checks the
 * date itself.
 */
const clockSkewMs = 60_000

/** When the record of something that expires is deleted. Milliseconds since 1970. */
export function endOf(expires: Date): number {
  return Math.max(millisecondsOf(expires), Date.now()) + clockSkewMs
}

/** Milliseconds. */
export function lifetimeUntil(end: number): number {
  return Math.max(1, end - Date.now())
}
