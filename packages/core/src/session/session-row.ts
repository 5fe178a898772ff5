import { UnsupportedStrategy } from "../errors.js"
import type { AdapterSession, AdapterUser } from "../model/adapter.js"
import type { LiveSession } from "../model/session-strategy.js"
import { idText } from "./live-session.js"

/** What the database has about a session. */
export interface Row {
  readonly session: AdapterSession
  readonly user: AdapterUser
}

/**
 * A join in the database that's wrong would otherwise sign in as another user. Some adapters don't return one of the two ids,
 * and some return the whole user as `userId`.
 */
export function belongTogether({ session, user }: Row): boolean {
  const owner = idsIn(session.userId)
  const ids = idsIn(user.id)
  return owner.length === 0 || ids.length === 0 || owner.some((id) => ids.includes(id))
}

/** A user without an id has the one in the session. */
export function userIdOf({ session: { userId }, user }: Row): string | undefined {
  const { id }: Partial<AdapterUser> = user
  if (id !== undefined && id !== null) return idText(id)
  return typeof userId === "string" ? userId : undefined
}

/** @throws UnsupportedStrategy if the session is sealed */
export function storedContent({ content }: LiveSession): Row {
  if (content.kind !== "stored") throw new UnsupportedStrategy("A JWT session reached the database strategy")
  return content
}

/** Every id that a value may mean, as text. Databases have objects for ids too, such as the ObjectId of MongoDB. */
function idsIn(value: unknown): readonly string[] {
  if (value === undefined || value === null || ArrayBuffer.isView(value)) return []
  const fields = typeof value === "object" ? [Reflect.get(value, "id"), Reflect.get(value, "_id")] : []
  const known = [value, ...fields].filter((id) => id !== undefined && id !== null)
  return known.map(String).filter((text) => !text.startsWith("[object "))
}
