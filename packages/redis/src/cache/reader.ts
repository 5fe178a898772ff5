import { type Adapter, type AdapterSession, type AdapterUser, newId } from "@latchkey/core/adapters"
import type { Breaker } from "./breaker.js"
import { type Entries, isCopy, isMark, type Seen } from "./entries.js"
import type { Keys, SessionKeys } from "./keys.js"
import { decodeRow, encodeRow } from "./rows.js"
import type { Place, UnknownTokens } from "./unknown.js"

/** What the methods of the cache are made of. */
export interface Cache {
  readonly entries: Entries
  readonly unknown: UnknownTokens
  readonly breaker: Breaker
  readonly keys: Keys
  /** Milliseconds. */
  readonly ttl: number
}

interface Found {
  readonly session: AdapterSession
  readonly user: AdapterUser
}

/**
 * The copy of a session is valid together with one copy of its user, whose `stamp` it has. So whatever ends the copy of a
 * user also ends those of all their sessions.
 */
interface UserCopy {
  readonly stamp: string
  readonly user: AdapterUser
}

/** Without its token, so that a reader of the cache can't sign in. */
interface SessionCopy {
  readonly stamp: string
  readonly session: Omit<AdapterSession, "sessionToken">
}

type Look = { readonly hit: Found | null } | Miss

interface Miss {
  readonly hit?: never
  readonly seen: Seen
  readonly place: Place
}

/** Reads a session from the cache, or else from the database. */
export function sessionReader(
  cache: Cache,
  fromDatabase: NonNullable<Adapter["getSessionAndUser"]>,
): NonNullable<Adapter["getSessionAndUser"]> {
  return async (token) => {
    const keys = await cache.keys.ofSession(token)
    const look = await orUndefined(() => cache.breaker.attempt(() => lookUp(cache, keys, token)))
    if (look?.hit !== undefined) return look.hit
    const found = (await fromDatabase(token)) ?? null
    // An adapter that compares loosely found another session. The engine decides what that means.
    if (found !== null && found.session.sessionToken !== token) return found
    if (look !== undefined) await orUndefined(() => cache.breaker.attempt(() => remember(cache, keys, look, found)))
    return found
  }
}

/** Stores the new row of a session, if its user has a copy. */
export async function sessionCopy(cache: Cache, session: AdapterSession): Promise<string | undefined> {
  const copy = userCopyIn((await cache.entries.look(cache.keys.ofUser(session.userId))).text)
  return copy === undefined ? undefined : encodeSession(copy.stamp, session)
}

function encodeSession(stamp: string, row: AdapterSession): string | undefined {
  const { sessionToken: _, ...session } = row
  const copy: SessionCopy = { stamp, session }
  return encodeRow(copy)
}

/** The database has the truth, so a failure of the cache isn't one of the call. */
export async function orUndefined<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch {
    return undefined
  }
}

async function lookUp({ entries, unknown, keys: { ofUser } }: Cache, keys: SessionKeys, token: string): Promise<Look> {
  const [seen, place] = await Promise.all([entries.look(keys.session), unknown.look(keys)])
  const copy = sessionCopyIn(seen.text)
  // A session that seems to have expired may have been extended while Redis was away.
  if (copy !== undefined && copy.session.expires > new Date()) {
    const owner = userCopyIn((await entries.look(ofUser(copy.session.userId))).text)
    if (owner?.stamp === copy.stamp)
      return { hit: { session: { ...copy.session, sessionToken: token }, user: owner.user } }
  }
  return place.isUnknown ? { hit: null } : { seen, place }
}

async function remember(cache: Cache, keys: SessionKeys, { seen, place }: Miss, found: Found | null): Promise<void> {
  const { entries, unknown, ttl } = cache
  if (found === null) return unknown.add(keys, place)
  if (isMark(seen.text)) return
  const stamp = await stampOf(cache, found.user, seen.at)
  const text = stamp === undefined ? undefined : encodeSession(stamp, found.session)
  if (text !== undefined) await entries.fill(keys.session, { seen, text, ttl })
}

/** The stamp of the user's copy. Stores one if there is none. */
async function stampOf({ entries, keys, ttl }: Cache, user: AdapterUser, at: number): Promise<string | undefined> {
  const key = keys.ofUser(user.id)
  const seen = await entries.look(key)
  if (seen.text !== null) return userCopyIn(seen.text)?.stamp
  const stamp = newId()
  const text = encodeRow({ stamp, user })
  // The row is as old as the first look.
  const isStored = text !== undefined && (await entries.fill(key, { seen: { text: null, at }, text, ttl }))
  return isStored ? stamp : undefined
}

function sessionCopyIn(text: string | null): SessionCopy | undefined {
  const copy = isCopy(text) ? decodeRow(text) : undefined
  return isObject(copy) && isObject(Reflect.get(copy, "session")) ? (copy as SessionCopy) : undefined
}

function userCopyIn(text: string | null): UserCopy | undefined {
  const copy = isCopy(text) ? decodeRow(text) : undefined
  return isObject(copy) && isObject(Reflect.get(copy, "user")) ? (copy as UserCopy) : undefined
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null
}
