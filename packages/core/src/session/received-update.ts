import type { SessionContext } from "../model/auth.js"
import type { LiveSession } from "../model/session-strategy.js"
import type { SessionUpdate } from "../model/session.js"
import { createThrottle } from "../observability/throttle.js"
import { isObject } from "../primitives/defined.js"
import { stateOf } from "../primitives/state.js"

/**
 * The claims that say whose session a token is and how long it lasts. Add a claim here if the engine writes it into tokens:
 * then browsers can't send it with an update, and the `jwt` callback can't change it.
 */

/** Claims of the engine that Auth.js v5 doesn't have. */
export const sessionClaims: readonly string[] = ["sid", "auth_time", "auth_time_assumed", "checked_at"]

/** When a token is valid, and which token it is (RFC 7519 §4.1). Sealing writes most of them anew. */
export const tokenClaims: readonly string[] = ["exp", "iat", "nbf", "jti"]

/** Who issued a token to whom (RFC 7519 §4.1). */
export const issuerClaims: readonly string[] = ["iss", "aud"]

/** The email of the user, and whether it's verified. The last is the name of the column. */
export const emailClaims: readonly string[] = ["email", "email_verified", "emailVerified"]

/** How a user authenticated at a provider (OpenID Connect Core §2, RFC 7800 §3.1). */
const proofClaims: readonly string[] = ["acr", "amr", "azp", "cnf", "nonce"]

/**
 * The data of an update that a browser sent, without the fields that say who the user is and how long the session lasts.
 * A callback that merges the data into the token, as in `{ ...token, ...session }`, can then neither give the session to
 * another user nor prolong it. A field with the value that the session has already stays, because applications send back
 * the whole session.
 */
export function receivedUpdate(auth: SessionContext, data: unknown, live: LiveSession): SessionUpdate | undefined {
  if (data === undefined || data === null) return undefined
  const removed = new Set<string>()
  const filter: Filter = { own: ownFields(live), everywhere: auth.rules.fixedClaims, removed }
  const kept = isObject(data) ? filtered(data, filter, "top") : withoutIdentity(data, filter, "part")
  if (removed.size > 0) warn(auth, [...removed])
  // Everything else is up to the callbacks of the application.
  return kept as SessionUpdate
}

type Fields = Readonly<Record<string, unknown>>

interface Filter {
  readonly own: OwnFields
  /** Auth.js passes `{ organization: { id } }`, which no callback takes for the user, so only `"strict"` filters all parts. */
  readonly everywhere: boolean
  readonly removed: Set<string>
}

/** Where an object is: at the top, a `user` at any depth, or any other part. */
type Place = "top" | "user" | "part"

function withoutIdentity(data: unknown, filter: Filter, place: Place): unknown {
  if (Array.isArray(data)) return data.map((item: unknown) => withoutIdentity(item, filter, "part"))
  return isObject(data) ? filtered(data, filter, place) : data
}

function filtered(fields: Fields, filter: Filter, place: Place): Fields {
  const kept: [string, unknown][] = []
  for (const [name, value] of Object.entries(fields)) {
    if (passes(name, value, filter, place))
      kept.push([name, withoutIdentity(value, filter, name === "user" ? "user" : "part")])
    else filter.removed.add(place === "top" ? name : `${place === "user" ? "user" : "…"}.${name}`)
  }
  return Object.fromEntries(kept)
}

function passes(name: string, value: unknown, { own, everywhere }: Filter, place: Place): boolean {
  if (place === "top") return mayPass(name, value, own)
  if (place === "user" || everywhere) return mayPassInUser(name, value, own)
  return !prototypes.has(name)
}

/** With one of these, a deep merge changes the prototype of other objects. */
const prototypes: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"])

const never: ReadonlySet<string> = new Set([
  ...sessionClaims,
  ...tokenClaims,
  ...issuerClaims,
  ...proofClaims,
  "sessionToken",
  ...prototypes,
])

/** The browser may know an earlier end of the session, or one that wasn't rounded to seconds yet. Milliseconds. */
const roundedMs = 1000

const emails: ReadonlySet<string> = new Set(emailClaims)

interface OwnFields {
  readonly userId: string | undefined
  /** When the session ends, in milliseconds since 1970. */
  readonly expires: number
  /** The claims, or the stored user. */
  readonly top: Fields
  /** The claim `user` of applications that have one. */
  readonly user: Fields
}

function ownFields({ userId, expires, content }: LiveSession): OwnFields {
  if (content.kind === "stored") return { userId, expires, top: { ...content.user }, user: {} }
  const { user } = content.claims
  return { userId, expires, top: content.claims, user: isObject(user) ? user : {} }
}

function mayPass(name: string, value: unknown, { userId, expires, top }: OwnFields): boolean {
  if (never.has(name)) return false
  if (name === "expires") return typeof value === "string" && Date.parse(value) <= expires + roundedMs
  if (name === "sub") return isOneOf(value, [userId])
  if (isId(name)) return isOwnId(name, value, userId, top)
  return emails.has(name) ? isOneOf(value, [top[name]]) : true
}

function mayPassInUser(name: string, value: unknown, own: OwnFields): boolean {
  if (isId(name)) return isOwnId(name, value, own.userId, own.top, own.user)
  if (mayPass(name, value, own)) return true
  // Otherwise, an email that the application stored in the claim `user` could become the claim `email`.
  return emails.has(name) && own.top[name] === undefined && isOneOf(value, [own.user[name]])
}

function isId(name: string): name is "id" | "userId" {
  return name === "id" || name === "userId"
}

/**
 * Whether the session has this id under the same name. Under a name that it doesn't have, it may be any of its ids: a callback that
 * merges the data must not replace an id by one of another kind, which may name another user.
 */
function isOwnId(
  name: "id" | "userId",
  value: unknown,
  userId: string | undefined,
  ...parts: readonly Fields[]
): boolean {
  const same = parts.flatMap((part) => part[name] ?? [])
  return isOneOf(value, same.length > 0 ? same : [userId, ...parts.flatMap((part) => [part["id"], part["userId"]])])
}

/**
 * Whether data that a browser sent has this value as `sub` in any part of it. A callback that merges the part into the token
 * would give the session to another user.
 */
export function namesSubject(data: unknown, sub: unknown): boolean {
  if (typeof data !== "object" || data === null) return false
  if (Object.hasOwn(data, "sub") && isOneOf(sub, [Reflect.get(data, "sub")])) return true
  return Object.values(data).some((part) => namesSubject(part, sub))
}

function isOneOf(value: unknown, known: readonly unknown[]): boolean {
  const text = jsonText(value)
  return known.some((own) => jsonText(own) === text)
}

/** The value as the browser got it. An id can be a number in one place and a text in another. */
function jsonText(value: unknown): string | undefined {
  return typeof value === "number" || typeof value === "bigint" ? JSON.stringify(String(value)) : JSON.stringify(value)
}

/** Milliseconds. */
const minute = 60_000

const throttleOf = stateOf("received-updates", () => createThrottle({ intervalMs: minute, maxListeners: 10 }))

/** Every user can send such data, so it's logged once a minute. */
function warn(auth: SessionContext, removed: readonly string[]): void {
  if (!throttleOf(auth).allows("removed", auth.logSink, auth.runtime.now())) return
  const fields = removed.map((name) => `\`${name}\``).join(", ")
  const text = `A browser sent ${fields} with an update of its session. Callbacks don't get these fields`
  const advice = "Call `unstable_update` on the server, or look up the user in your database in the `jwt` callback"
  auth.logger.warn("update-fields-removed", `${text}. ${advice}`)
}
