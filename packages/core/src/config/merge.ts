type Fields = Readonly<Record<string, unknown>>

/**
 * Lays `over` upon `base`: plain objects merge, everything else replaces, `undefined` says nothing.
 * Arrays replace as a whole, and neither input is written to (complaint 13).
 */
export function merge<T extends object>(base: T, over: unknown): T {
  if (!isPlain(over)) return base
  const result: { [key: string]: unknown } = Object.assign({}, base)
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined || key === "__proto__") continue
    const present = result[key]
    result[key] = isPlain(present) && isPlain(value) ? merge(present, value) : value
  }
  // Replaced members are the developer's word on the same option; what reads them narrows them.
  return result as T
}

/** An object literal, of any realm; instances of classes are values. */
export function isPlain(value: unknown): value is Fields {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
