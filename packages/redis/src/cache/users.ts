import type { Adapter, AdapterUser } from "@latchkey/core/adapters"
import { type Entries, isCopy } from "./entries.js"
import { decodeRow, encodeRow } from "./rows.js"

/** Copies of the users of another adapter. */
export interface UserCache {
  find(userId: string): Promise<AdapterUser | null>
  key(userId: string): string
}

interface UserCacheOptions {
  readonly entries: Entries
  readonly prefix: string
  /** Milliseconds. 0: users are never copied. */
  readonly ttl: number
  readonly getUser: NonNullable<Adapter["getUser"]>
}

export function userCache({ entries, prefix, ttl, getUser }: UserCacheOptions): UserCache {
  const key = (userId: string) => `${prefix}user:${userId}`
  return {
    key,
    find: async (userId) => {
      if (ttl === 0) return (await getUser(userId)) ?? null
      const seen = await entries.look(key(userId))
      if (isCopy(seen.text)) return userIn(seen.text)
      const user = (await getUser(userId)) ?? null
      const text = user === null || seen.text !== null ? undefined : encodeRow({ user })
      if (text !== undefined) await entries.fill(key(userId), { seen, text, ttl })
      return user
    },
  }
}

function userIn(text: string): AdapterUser | null {
  const copy: unknown = decodeRow(text)
  const user: unknown = Reflect.get(Object(copy), "user")
  return isUser(user) ? user : null
}

/** The copy is of a row that the adapter returned. */
function isUser(user: unknown): user is AdapterUser {
  return typeof user === "object" && user !== null && "id" in user
}
