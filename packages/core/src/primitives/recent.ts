/** The results for the last few inputs, found by value. */
export interface Recent<K, V> {
  find(input: K, accepts?: (result: V) => boolean): V | undefined
  add(input: K, result: V): void
}

interface Entry<V> {
  readonly adapter: unknown
  /** An application may change an object that it passed before. */
  readonly snapshot: Snapshot
  readonly result: V
}

/** An adapter has to be the same object. It may be a proxy, whose members don't tell which database it uses. */
export function createRecent<K extends { readonly adapter?: unknown }, V>(capacity: number): Recent<K, V> {
  let entries: readonly Entry<V>[] = []
  return {
    find({ adapter, ...rest }, accepts = () => true) {
      const isEqual = (known: Entry<V>) =>
        known.adapter === adapter && accepts(known.result) && isSameValue(known.snapshot, rest)
      return entries.find(isEqual)?.result
    },
    add(input, result) {
      const { adapter, ...rest } = input
      entries = [{ adapter, snapshot: snapshotOf(rest), result }, ...entries.slice(0, capacity - 1)]
    },
  }
}

const maxDepth = 8

/** What a value was at one time. Arrays and plain objects have members, which may change later. */
interface Snapshot {
  readonly value: unknown
  readonly members?: ReadonlyMap<PropertyKey, Snapshot>
}

/** An object that occurs twice is only recorded once, so a snapshot of circular references has an end. */
function snapshotOf(value: unknown, depth: number = maxDepth, seen: Set<object> = new Set()): Snapshot {
  if (depth === 0 || !isPlain(value) || seen.has(value)) return { value }
  seen.add(value)
  const member = (key: PropertyKey) => [key, snapshotOf(Reflect.get(value, key), depth - 1, seen)] as const
  return { value, members: new Map(Reflect.ownKeys(value).map(member)) }
}

/**
 * Whether a value is interchangeable with what another was: equal primitives, the same function or instance, or arrays and
 * plain objects with interchangeable members.
 */
function isSameValue({ value, members }: Snapshot, other: unknown): boolean {
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
