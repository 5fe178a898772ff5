/**
 * Returns `base` with the values of `over`. Plain objects merge, all other values (arrays too) replace, and `undefined`
 * is ignored. Neither input is changed.
 */
export function merge<T extends object>(base: T, over: unknown): T {
  if (!isPlainObject(over)) return base
  const result = Object.assign<Record<string, unknown>, T>({}, base)
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined || key === "__proto__") continue
    const present: unknown = Reflect.get(result, key)
    Object.assign(result, { [key]: isPlainObject(present) && isPlainObject(value) ? merge(present, value) : value })
  }
  return result
}

/** An object literal, also one from another realm. Class instances aren't. */
export function isPlainObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
