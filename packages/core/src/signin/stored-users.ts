import { sameMailbox, spellingsOf } from "../http/email-address.js"
import type { Adapter, AdapterUser } from "../model/adapter.js"
import type { LiveSession } from "../model/session-strategy.js"
import { isInexact } from "../primitives/exact-json.js"

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

/** Texts that name no user. All users without an id would share that account. */
const noIds: ReadonlySet<string> = new Set(["undefined", "null", "NaN", "Infinity", "-Infinity", "[object Object]"])

/** What JavaScript writes for a number of 1e21 and more, or of less than 1e-6. Its last digits are lost. */
const exponent = /^-?\d(?:\.\d+)?e[+-]\d+$/

/**
 * The id that a callback returned, as text. Databases have numbers and big integers. `undefined`: it names no user, or it's a
 * number that was rounded, which could name two.
 */
export function usableId(id: unknown): string | undefined {
  if (typeof id === "number" && Number.isInteger(id) && isInexact(id)) return undefined
  const text = typeof id === "string" || typeof id === "number" || typeof id === "bigint" ? String(id) : ""
  return text.trim() === "" || noIds.has(text) || exponent.test(text) ? undefined : text
}

/** How deep ids are in the responses of services, and then some. */
const maxDepth = 8

/**
 * The path of a rounded number in `value` that the text of an id was made from, such as `user.id`. Code of the application
 * may have parsed the response, and converted the number to text.
 */
export function roundedSource(text: string, value: unknown, path: readonly string[] = []): string | undefined {
  if (typeof value === "number") return isInexact(value) && isMadeFrom(text, value) ? path.join(".") : undefined
  if (typeof value !== "object" || value === null || path.length === maxDepth) return undefined
  for (const [key, member] of Object.entries(value)) {
    const found = roundedSource(text, member, [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}

/** A rounded integer has 16 digits or more, so it may be a part of the id. */
function isMadeFrom(text: string, value: number): boolean {
  const written = [String(value), ...(Number.isInteger(value) && value !== 0 ? [BigInt(value).toString()] : [])]
  return written.some((each) => each === text || (each.length >= 16 && text.includes(each)))
}
