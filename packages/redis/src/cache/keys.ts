import { hexOf } from "../script.js"

/** Keys of the copies of one session. */
export interface SessionKeys {
  readonly session: string
  /** Shared with other tokens. */
  readonly unknown: string
  readonly hash: string
}

export interface Keys {
  ofSession(token: string): Promise<SessionKeys>
  ofUser(userId: unknown): string
}

/**
 * How many unknown tokens are remembered at most. Each has a place that its hash determines, and a newer one replaces it. So random
 * tokens of an attacker take about three megabytes, however many they are.
 */
const places = 16_384

export function keysUnder(prefix: string): Keys {
  return {
    // A reader of the cache doesn't learn a token from its key. JSON keeps lone surrogates apart.
    ofSession: async (token) => {
      const hash = await hexOf("SHA-256", JSON.stringify(token))
      const place = Number.parseInt(hash.slice(0, 8), 16) % places
      return { session: `${prefix}session:${hash}`, unknown: `${prefix}unknown:${place}`, hash }
    },
    ofUser: (userId) => `${prefix}user:${String(userId)}`,
  }
}
