import type { Auth } from "../model/auth.js"
import { perStore } from "../per-store.js"

const underWay = perStore(() => new Set<string>())

/**
 * Runs `work` unless the same is under way in this process: `undefined` then. Not every store takes a token in one
 * step; of parallel uses only the first may ask such a store, and later ones find that the token is gone.
 */
export async function oneAtATime<T>(auth: Auth, what: string, work: () => Promise<T>): Promise<T | undefined> {
  const busy = underWay(auth)
  if (busy.has(what)) return undefined
  busy.add(what)
  try {
    return await work()
  } finally {
    busy.delete(what)
  }
}
