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
  const states = processState(`site/${name}`, () => new WeakMap<object, T>())
  return (auth) => {
    const { scope } = auth
    const state = states.get(scope) ?? create(auth)
    states.set(scope, state)
    return state
  }
}
