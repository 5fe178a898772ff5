/**
 * State that this process has once. A bundler may copy this module, for instance into the pages and into the route
 * handlers of a Next.js app, and a variable of the module would then exist once per copy.
 */
export function processState<T>(name: string, create: () => T): T {
  const key = Symbol.for(`@latchkey/core/${name}`)
  const states = globalThis as { [state: symbol]: unknown }
  // The symbol belongs to this package and each name to one type.
  return (states[key] ??= create()) as T
}

/** `scope` identifies the site; see `config/site.ts`. */
export interface Scoped {
  readonly scope: object
}

/**
 * State of this process for each site. A configuration function may return a new object for each request, and the state
 * must not start anew with it.
 */
export function scopedToSite<T, A extends Scoped = Scoped>(name: string, create: (auth: A) => T): (auth: A) => T {
  return scoped(`site/${name}`, ({ scope }) => scope, create)
}

/** What was logged already. It may start anew with another configuration object, so no memory of used values is kept there. */
export function scopedToApplication<T, A extends { readonly application: object } = { readonly application: object }>(
  name: string,
  create: (auth: A) => T,
): (auth: A) => T {
  return scoped(`application/${name}`, ({ application }) => application, create)
}

function scoped<T, A>(name: string, keyOf: (auth: A) => object, create: (auth: A) => T): (auth: A) => T {
  const states = processState(name, () => new WeakMap<object, T>())
  return (auth) => {
    const key = keyOf(auth)
    const state = states.get(key) ?? create(auth)
    states.set(key, state)
    return state
  }
}
