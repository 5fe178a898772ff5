/** Calls the function at most once, and returns the same result each time. */
export function once<T>(make: () => T): () => T {
  let made: { readonly result: T } | undefined
  return () => (made ??= { result: make() }).result
}
