const maxDepth = 8

/** What a value was at one time. Arrays and plain objects have members, which may change later. */
export interface Snapshot {
  readonly value: unknown
  readonly members?: ReadonlyMap<PropertyKey, Snapshot>
}

/** An object that occurs twice is only recorded once, so a snapshot of circular references has an end. */
export function snapshotOf(value: unknown, depth: number = maxDepth, seen: Set<object> = new Set()): Snapshot {
  if (depth === 0 || !isPlain(value) || seen.has(value)) return { value }
  seen.add(value)
  const member = (key: PropertyKey) => [key, snapshotOf(Reflect.get(value, key), depth - 1, seen)] as const
  return { value, members: new Map(Reflect.ownKeys(value).map(member)) }
}

/**
 * Whether a value is interchangeable with what another was: equal primitives, the same function or instance, or arrays and
 * plain objects with interchangeable members.
 */
export function isSameValue({ value, members }: Snapshot, other: unknown): boolean {
  if (members === undefined) return Object.is(value, other)
  if (!isPlain(other) || Array.isArray(value) !== Array.isArray(other)) return false
  const keys = Reflect.ownKeys(other)
  if (keys.length !== members.size) return false
  // A proxy may have no members of its own and still do something else than another.
  if (keys.length === 0) return Object.is(value, other)
  return keys.every((key) => {
    const member = members.get(key)
    return member !== undefined && isSameValue(member, Reflect.get(other, key))
  })
}

/** Instances can have private state, so only arrays and object literals are compared by their members. */
function isPlain(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return Array.isArray(value) || prototype === null || prototype === Object.prototype
}
