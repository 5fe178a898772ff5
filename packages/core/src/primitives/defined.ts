/** A copy without the members that are `undefined`. */
export function defined<T extends object>(values: T): { [key in keyof T]: Exclude<T[key], undefined> } {
  const found: Partial<T> = {}
  for (const name of Object.keys(values) as (keyof T)[]) if (values[name] !== undefined) found[name] = values[name]
  return found as { [key in keyof T]: Exclude<T[key], undefined> }
}

/** Whether a value is an object as JSON has them, so not a list. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
