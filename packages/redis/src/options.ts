interface Range {
  /** How the message calls the unit. */
  readonly unit: "seconds" | "milliseconds"
  readonly min: number
  readonly max: number
  /** 0 has a meaning of its own, such as "never". */
  readonly zero?: boolean
}

/** A lifetime in Redis, which counts in milliseconds. */
export const lifetime: Range = { unit: "seconds", min: 0.001, max: 1e12 }
/** Beyond, a timer fires at once. */
export const timeout: Range = { unit: "milliseconds", min: 1, max: 2_147_483_647 }

/** @throws RangeError if an option isn't a number in its range */
export function assertRange(name: string, value: unknown, { unit, min, max, zero = false }: Range): void {
  if (typeof value === "number" && ((value >= min && value <= max) || (zero && value === 0))) return
  throw new RangeError(
    `The option \`${name}\` is ${String(value)}. Pass a number of ${unit} from ${min} to ${max}${zero ? ", or 0" : ""}.`,
  )
}

/** Redis accepts whole milliseconds only. */
export function toMillis(seconds: number): number {
  return Math.ceil(seconds * 1000)
}
