import type { Auth } from "../model/auth.js"
import { perStore } from "../per-store.js"
import { turns } from "../turns.js"

const turnsOf = perStore(turns)

/**
 * Runs `work` when all earlier work on the same thing in this process is done. Not every store keeps addresses and
 * accounts unique by itself; of parallel first sign-ins the later ones find whom the first one made.
 */
export function inTurn<T>(auth: Auth, what: string, work: () => Promise<T>): Promise<T> {
  return turnsOf(auth)(what, work)
}
