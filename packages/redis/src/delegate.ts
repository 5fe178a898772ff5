/**
 * A copy of an object, or of an instance of a class, with some other methods. The remaining methods are called with the
 * original as `this`.
 */
export function delegate<T extends object, Changes extends object>(target: T, changes: Changes): T & Changes {
  const copy: object = {}
  for (let source = target; isExtended(source); source = Object.getPrototypeOf(source)) {
    for (const name of Reflect.ownKeys(source)) {
      if (name === "constructor" || Object.hasOwn(copy, name)) continue
      Object.defineProperty(copy, name, { enumerable: true, configurable: true, get: () => memberOf(target, name) })
    }
  }
  for (const name of Reflect.ownKeys(changes)) {
    const value: unknown = Reflect.get(changes, name)
    Object.defineProperty(copy, name, { enumerable: true, configurable: true, value, writable: true })
  }
  // The loops above gave it every member of both.
  return copy as T & Changes
}

function isExtended(value: object | null): boolean {
  return value !== null && value !== Object.prototype
}

function memberOf(target: object, name: PropertyKey): unknown {
  const value: unknown = Reflect.get(target, name)
  return typeof value === "function" ? value.bind(target) : value
}

export function assertAdapter(adapter: unknown): void {
  if (typeof adapter === "object" && adapter !== null) return
  throw new TypeError("This isn't an adapter. Pass the adapter of your database first, and a Redis client second.")
}
