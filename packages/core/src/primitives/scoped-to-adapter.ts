interface Scope {
  readonly config: { readonly adapter?: object | undefined }
}

/**
 * State of this process that belongs to an adapter, or to the compiled configuration where there is none. A lazy
 * configuration may be a new object for each request, while its adapter usually stays the same.
 */
export function scopedToAdapter<T, A extends Scope = Scope>(create: (auth: A) => T): (auth: A) => T {
  const states = new WeakMap<object, T>()
  return (auth) => {
    const scope = auth.config.adapter ?? auth
    const state = states.get(scope) ?? create(auth)
    states.set(scope, state)
    return state
  }
}
