const maxDepth = 8

/**
 * Whether two values are interchangeable: equal primitives, the same function or instance, or arrays and plain objects with
 * interchangeable members.
 */
export function isSameValue(one: unknown, other: unknown, depth: number = maxDepth): boolean {
  if (Object.is(one, other)) return true
  if (depth === 0 || !isObject(one) || !isObject(other)) return false
  if (Array.isArray(one) !== Array.isArray(other) || !isPlain(one) || !isPlain(other)) return false
  const keys = Reflect.ownKeys(one)
  if (keys.length !== Reflect.ownKeys(other).length) return false
  return keys.every(
    (key) => Object.hasOwn(other, key) && isSameValue(Reflect.get(one, key), Reflect.get(other, key), depth - 1),
  )
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}

/** Instances can have private state, so only arrays and object literals are compared by their members. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === null || prototype === Object.prototype
}
