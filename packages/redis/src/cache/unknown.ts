import { type Entries, isMark, type Seen } from "./entries.js"
import type { SessionKeys } from "./keys.js"

/**
 * Tokens that the database doesn't have. A new session puts a mark in the place of its token, so that a reader who read the
 * database before can't store that the token is unknown.
 */
export interface UnknownTokens {
  look(keys: SessionKeys): Promise<Place>
  /** Does nothing if a session was created in this place since the look. */
  add(keys: SessionKeys, place: Place): Promise<void>
  /** Call it after the session is created. */
  created(keys: SessionKeys): Promise<void>
}

/** What the place of a token has. */
export interface Place {
  readonly isUnknown: boolean
  readonly seen: Seen
}

/** @param ttl in milliseconds. 0: no token is remembered */
export function unknownTokens(entries: Entries, ttl: number): UnknownTokens {
  return {
    look: async ({ unknown, hash }) => {
      const seen = await entries.look(unknown)
      return { isUnknown: ttl > 0 && seen.text === hash, seen }
    },
    add: async ({ unknown, hash }, { seen }) => {
      if (ttl > 0 && !isMark(seen.text)) await entries.fill(unknown, { seen, text: hash, ttl })
    },
    // The mark stays for a minute, because a transaction may be committed later.
    created: async ({ unknown }) => void (await entries.mark(unknown, "update")),
  }
}
