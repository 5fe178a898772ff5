import type { Commands } from "../client.js"
import { recordsIn } from "../store/records.js"
import type { SessionKeys } from "./keys.js"

/** Tokens that the database doesn't have. */
export interface UnknownTokens {
  has(keys: SessionKeys): Promise<boolean>
  add(keys: SessionKeys): Promise<void>
  remove(keys: SessionKeys): Promise<void>
}

/** @param ttl in milliseconds. 0: no token is remembered */
export function unknownTokens(commands: Commands, ttl: number): UnknownTokens {
  const records = recordsIn(commands)
  return {
    has: async ({ unknown, hash }) => ttl > 0 && (await commands.get(unknown)) === hash,
    add: async ({ unknown, hash }) => {
      if (ttl > 0) await records.put(unknown, hash, ttl)
    },
    remove: async ({ unknown, hash }) => void (await records.remove(unknown, hash)),
  }
}
