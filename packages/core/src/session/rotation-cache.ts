import type { JWT } from "../model/session.js"
import { createBoundedMap } from "../primitives/bounded-map.js"
import { createKeyedMutex, type KeyedMutex } from "../primitives/keyed-mutex.js"
import { processState } from "../primitives/state.js"

const maxTokens = 5000

/** Characters of tokens and claims. With claims of a usual size, there's room for 5000 tokens. */
const maxCharacters = 8_000_000

/** The latest claims for session tokens that a browser may still send, in the memory of this process. */
export interface RotationCache {
  latestFor(token: string): JWT | undefined
  remember(token: string, claims: JWT): void
  /** Requests with the same token run their `jwt` callback one after the other. */
  readonly runExclusive: KeyedMutex["runExclusive"]
}

/**
 * A `jwt` callback may use up a refresh token in a request whose response can't set cookies, or whose cookie hasn't
 * reached the browser when it sends the next request. That next request continues with the latest claims, so the callback
 * doesn't use the same refresh token twice.
 */
export function createRotationCache(capacity: number = maxTokens): RotationCache {
  const weigh = (token: string, claims: JWT) => token.length + JSON.stringify(claims).length
  const latest = createBoundedMap<string, JWT>({ entries: capacity, weight: maxCharacters, weigh })
  return {
    latestFor: (token) => latest.get(token),
    remember: (token, claims) => latest.set(token, claims),
    runExclusive: createKeyedMutex().runExclusive,
  }
}

export function sharedRotationCache(): RotationCache {
  return processState("rotation-cache", createRotationCache)
}
