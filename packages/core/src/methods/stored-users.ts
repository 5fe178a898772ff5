import { sameMailbox, spellingsOf } from "../http/email-address.js"
import type { Adapter, AdapterUser } from "../model/adapter.js"
import type { LiveSession } from "../model/session-strategy.js"

/**
 * Looks the email up as it is, and then in its other spellings. Checks the email of the result: a database that ignores accents
 * returns the user of a look-alike email.
 */
export async function userWithEmail(adapter: Adapter, email: string): Promise<AdapterUser | null> {
  for (const spelling of spellingsOf(email)) {
    const user = (await adapter.getUserByEmail?.(spelling)) ?? null
    if (user !== null && sameMailbox(user.email, email)) return user
  }
  return null
}

/** The user behind the session of a browser. `null`: no session, or the user was deleted. */
export async function userOfSession(adapter: Adapter, live: LiveSession | null): Promise<AdapterUser | null> {
  if (live === null) return null
  if (live.content.kind === "stored") return live.content.user
  if (live.userId === undefined) return null
  return (await adapter.getUser?.(live.userId)) ?? null
}

/**
 * Reads the user again, if the session is still there: `null` otherwise. Uses the same method as {@link userOfSession}, since some
 * adapters return only a part of the user from one of them.
 */
export async function rereadUser(adapter: Adapter, live: LiveSession): Promise<AdapterUser | null> {
  const { content, row } = live
  const found = row?.key === undefined ? undefined : await adapter.getSessionAndUser?.(row.key)
  if (found === null) return null
  return content.kind === "stored" && found !== undefined ? found.user : userOfSession(adapter, live)
}

/**
 * Whether the user has the same email as before, verified or not as before. Otherwise the owner of an email may have taken the
 * account over meanwhile, or the email is another one.
 */
export function isSameMailbox(before: AdapterUser, now: AdapterUser): boolean {
  return (before.email ?? null) === (now.email ?? null) && Boolean(before.emailVerified) === Boolean(now.emailVerified)
}

/**
 * In a transaction, makes others that do the same wait, such as one that takes an account over for the owner of its email. Call
 * it before anything is read.
 */
export async function lockUser(adapter: Adapter, { id }: Pick<AdapterUser, "id">): Promise<AdapterUser | undefined> {
  return (await adapter.updateUser?.({ id })) ?? undefined
}
