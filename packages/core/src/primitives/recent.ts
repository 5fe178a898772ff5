import { isSameValue, snapshotOf, type Snapshot } from "./same-value.js"

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
