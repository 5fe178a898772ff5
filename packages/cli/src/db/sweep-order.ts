import { wrongUsage } from "../failure.js"
import type { SweepOrder } from "./job.js"
import type { DbOptions } from "./locate.js"

export interface SweepOptions extends DbOptions {
  readonly batch: string
  /** Milliseconds. */
  readonly pause: string
  /** An ISO date. */
  readonly before?: string
}

/** @throws Failure if an option is invalid */
export function sweepOrder({ batch, pause, before }: SweepOptions, now: Date): SweepOrder {
  const limits = {
    batchSize: integer(batch, "--batch", 1),
    pauseMs: integer(pause, "--pause", 0),
  }
  return before === undefined ? limits : { ...limits, before: pastDate(before, now) }
}

function integer(text: string, option: string, least: number): number {
  const value = Number(text)
  if (/^\d+$/.test(text) && Number.isSafeInteger(value) && value >= least) return value
  throw wrongUsage(`${option} ${text} isn't a whole number from ${least} up.`)
}

/** A date in the future would delete sessions that are still valid, and sign their users out. */
function pastDate(text: string, now: Date): Date {
  const date = new Date(/^\d{4}-\d\d-\d\d/.test(text) ? text : Number.NaN)
  if (Number.isNaN(date.getTime()))
    throw wrongUsage(`--before ${text} isn't a date such as 2026-01-31 or 2026-01-31T12:00:00Z.`)
  if (date <= now) return date
  throw wrongUsage(`--before ${text} is in the future, so it would delete sessions that haven't expired.`)
}
