import type { Auth } from "../model/auth.js"

/** By store: a configuration may be made anew for each request. */
const underWay = new WeakMap<object, Set<string>>()

/**
 * Runs `work` unless the same is under way in this process: `undefined` then. Not every store takes a token in one
 * step; of parallel uses only the first may ask such a store, and later ones find that the token is gone.
 */
export async function oneAtATime<T>(auth: Auth, what: string, work: () => Promise<T>): Promise<T | undefined> {
  const store = auth.config.adapter ?? auth
  const busy = underWay.get(store) ?? new Set<string>()
  underWay.set(store, busy)
  if (busy.has(what)) return undefined
  busy.add(what)
  try {
    return await work()
  } finally {
    busy.delete(what)
  }
}
