import { isSameValue } from "./same-value.js"

/** The results for the last few inputs, found by value. */
export interface Recent<K, V> {
  find(input: K, accepts?: (result: V) => boolean): V | undefined
  add(input: K, result: V): void
}

export function createRecent<K extends object, V>(capacity: number): Recent<K, V> {
  let entries: readonly { readonly input: K; readonly result: V }[] = []
  return {
    find: (input, accepts = () => true) =>
      entries.find((entry) => accepts(entry.result) && isSameValue(entry.input, input))?.result,
    add(input, result) {
      entries = [{ input, result }, ...entries.slice(0, capacity - 1)]
    },
  }
}
