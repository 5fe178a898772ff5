import type { Auth } from "../model/auth.js"

/** By store: a configuration may be made anew for each request. */
const lines = new WeakMap<object, Map<string, Promise<unknown>>>()

/**
 * Runs `work` when all earlier work on the same thing in this process is done, well or not. Not every store keeps
 * addresses and accounts unique by itself; of parallel first sign-ins the later ones find whom the first one made.
 */
export async function inTurn<T>(auth: Auth, what: string, work: () => Promise<T>): Promise<T> {
  const store = auth.config.adapter ?? auth
  const line = lines.get(store) ?? new Map<string, Promise<unknown>>()
  lines.set(store, line)
  const mine = (line.get(what) ?? Promise.resolve()).then(work)
  const settled = mine.catch(() => undefined)
  line.set(what, settled)
  try {
    return await mine
  } finally {
    if (line.get(what) === settled) line.delete(what)
  }
}
