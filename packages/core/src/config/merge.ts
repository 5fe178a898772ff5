type Fields = Readonly<Record<string, unknown>>

/**
 * Lays `over` upon `base`: plain objects merge, everything else replaces, `undefined` says nothing.
 * Arrays replace as a whole, and neither input is written to (complaint 13).
 */
export function merge<T extends object>(base: T, over: unknown): T {
  if (!isPlain(over)) return base
  const result = Object.assign<Record<string, unknown>, T>({}, base)
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined || key === "__proto__") continue
    const present: unknown = Reflect.get(result, key)
    Object.assign(result, { [key]: isPlain(present) && isPlain(value) ? merge(present, value) : value })
  }
  return result
}

/** An object literal, of any realm; instances of classes are values. */
export function isPlain(value: unknown): value is Fields {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
