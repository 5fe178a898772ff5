import type { JWT } from "../model/session.js"
import { createKeyedMutex, type KeyedMutex } from "../primitives/keyed-mutex.js"

/** Some 5 MB of claims of the usual size. */
const capacity = 5000

/** What became of tokens that a browser may send again, because the cookie of the next one has not reached it yet. */
export interface RotationCache {
  /** The claims that followed those of this token. */
  latestFor(token: string): JWT | undefined
  /** Remembers them, in the memory of this process. */
  remember(token: string, claims: JWT): void
  /** Work on one token is done in turn. */
  readonly runExclusive: KeyedMutex["runExclusive"]
}

/**
 * A `jwt` callback may have used up a refresh token, or taken an update, for a request whose answer could carry no
 * cookie or has not arrived. Requests that still bring the old token go on from there, one after the other, so that
 * nothing is refreshed twice and nothing is undone (spec/complaints.md §7 number 151).
 */
export function createRotationCache(mostTokens: number = capacity): RotationCache {
  const followed = new Map<string, JWT>()
  return {
    latestFor: (token) => followed.get(token),
    remember(token, claims) {
      followed.delete(token)
      followed.set(token, claims)
      const [oldest] = followed.keys()
      if (followed.size > mostTokens && oldest !== undefined) followed.delete(oldest)
    },
    runExclusive: createKeyedMutex().runExclusive,
  }
}

const place = Symbol.for("@latchkey/core/succession")

/**
 * The one of this process. A bundler may make several copies of this program, one for pages and one for routes say, and
 * what one of them did with a refresh token the others must know. No two sessions have the same token.
 */
export function sharedRotationCache(): RotationCache {
  const shared = globalThis as { [place]?: RotationCache }
  return (shared[place] ??= createRotationCache())
}
