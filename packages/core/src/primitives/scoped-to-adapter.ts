/** `scope` is the adapter of the configuration, or the configuration itself if it has none. */
export interface Scoped {
  readonly scope: object
}

/**
 * State of this process for each adapter. A configuration function may return a new object for each request, while its
 * adapter usually stays the same.
 */
export function scopedToAdapter<T, A extends Scoped = Scoped>(create: (auth: A) => T): (auth: A) => T {
  const states = new WeakMap<object, T>()
  return (auth) => {
    const { scope } = auth
    const state = states.get(scope) ?? create(auth)
    states.set(scope, state)
    return state
  }
}
