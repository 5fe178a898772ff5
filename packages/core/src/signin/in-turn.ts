import type { Auth } from "../model/auth.js"
import { perStore } from "../per-store.js"
import { within } from "../runtime.js"

const lines = perStore(() => new Map<string, Promise<unknown>>())

/** A store that hangs must not keep a person out for ever. Milliseconds. */
const patience = 10_000

/**
 * Runs `work` when all earlier work on the same thing in this process is done, well or not. Not every store keeps
 * addresses and accounts unique by itself; of parallel first sign-ins the later ones find whom the first one made.
 */
export async function inTurn<T>(auth: Auth, what: string, work: () => Promise<T>): Promise<T> {
  const line = lines(auth)
  const earlier = line.get(what)
  const mine = earlier === undefined ? work() : within(patience, earlier, () => undefined).then(work)
  const settled = mine.catch(() => undefined)
  line.set(what, settled)
  try {
    return await mine
  } finally {
    if (line.get(what) === settled) line.delete(what)
  }
}
