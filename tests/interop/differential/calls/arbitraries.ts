import fc from "fast-check"

/** One of the values, or nothing. */
export function maybe<T>(...values: readonly T[]): fc.Arbitrary<T | undefined> {
  return fc.oneof(fc.constant(undefined), fc.constantFrom(...values))
}

/** An object without the properties that are `undefined`. */
export function record(model: Readonly<Record<string, fc.Arbitrary<unknown>>>): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .record(model)
    .map((made) => Object.fromEntries(Object.entries(made).filter(([, value]) => value !== undefined)))
}
