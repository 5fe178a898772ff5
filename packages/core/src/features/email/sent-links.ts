import { maxCodeAge } from "../../mail/message.js"
import type { VerificationToken } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import type { EmailProvider } from "../../model/email-provider.js"
import type { RequestingDevice } from "../../model/flow.js"
import type { AuthRequest } from "../../model/http.js"
import { createBoundedMap, stateOf } from "../../primitives/state.js"
import { deviceOf } from "../../session/details.js"

interface Sent {
  /** What requested the link. `undefined`: another process sent it. */
  readonly device: ReturnType<typeof deviceOf> | undefined
  /** Milliseconds since 1970. */
  readonly at: number
  readonly expires: number
  readonly isUsed: boolean
}

/** Links by their rows, in the memory of this process: pages only say it if it's known. */
const sentLinks = stateOf("sent-links", () => createBoundedMap<string, Sent>(10_000))

/** How long it's known that a link has expired. Milliseconds. */
const memory = 86_400_000

type Key = Pick<VerificationToken, "identifier" | "token">

export function rememberLink(auth: AuthContext, { headers }: AuthRequest, row: VerificationToken): void {
  const device = deviceOf(headers.get("user-agent"))
  remember(auth, row, { device, at: auth.runtime.now(), expires: row.expires.getTime(), isUsed: false })
}

/** Only this process knows it, unless the adapter can read tokens. */
export function rememberUse(auth: AuthContext, row: VerificationToken, isUsed: boolean): void {
  const sent = sentLinks(auth).get(keyOf(row)) ?? { device: undefined, at: auth.runtime.now() }
  remember(auth, row, { ...sent, expires: row.expires.getTime(), isUsed })
}

function remember(auth: AuthContext, row: Key, sent: Sent): void {
  sentLinks(auth).set(keyOf(row), sent, { expires: sent.expires + memory, now: auth.runtime.now() })
}

/** Tokens of the application may be short, so that two emails have the same one. */
function keyOf({ identifier, token }: Key): string {
  return JSON.stringify([identifier, token])
}

/** Whether it's known that a link was used or has expired. */
export function hasEnded(auth: AuthContext, row: Key): boolean {
  const sent = sentLinks(auth).get(keyOf(row))
  return sent !== undefined && (sent.isUsed || sent.expires <= auth.runtime.now())
}

export function deviceThatAsked(auth: AuthContext, row: Key): RequestingDevice | undefined {
  const now = auth.runtime.now()
  const { device, at = now } = sentLinks(auth).get(keyOf(row)) ?? {}
  return device && { ...device, secondsAgo: Math.max(0, (now - at) / 1000) }
}

/** What the cookie keeps for the code that was sent with a link. */
export interface CodeTicket {
  readonly provider: string
  readonly identifier: string
  /** The stored token of the link. Link and code share it, so only the first one works. */
  readonly stored: string
  readonly code: string
  /** Milliseconds since 1970. */
  readonly ends: number
  readonly callbackUrl: string | undefined
}

/** Characters. A longer callback URL isn't kept for the code. */
const maxCallbackUrlLength = 512

interface CodedLink {
  readonly identifier: string
  readonly code: string | undefined
  readonly expires: Date
  readonly callbackUrl: string
}

/** `undefined`: the link has no code. */
export function ticketFor(
  { runtime }: AuthContext,
  provider: EmailProvider,
  { identifier, code, expires, callbackUrl }: CodedLink,
  stored: string,
): CodeTicket | undefined {
  if (code === undefined) return undefined
  const ends = Math.min(expires.getTime(), runtime.now() + maxCodeAge * 1000)
  const kept = callbackUrl.length <= maxCallbackUrlLength ? callbackUrl : undefined
  return { provider: provider.id, identifier, stored, code, ends, callbackUrl: kept }
}

/** The row of a link in the database, as it was stored. */
export interface StoredRow {
  readonly identifier: string
  /** A hash. */
  readonly token: string
  /** Milliseconds since 1970. */
  readonly expires: number
}

/** A link that this browser requested. */
export interface AskedLink {
  /** The name of its cookie. */
  readonly cookie: string
  /** SHA-256 of the token. */
  readonly token: string
  /** How the token is stored. `undefined`: the configured secrets tell. */
  readonly stored: string | undefined
  /** Seconds since 1970. */
  readonly asked: number
  readonly ticket: CodeTicket | undefined
  /** For links with a code or a short token, whose tries are counted there. */
  readonly row: StoredRow | undefined
  /** The token itself is short, so a guess may be meant for it. */
  readonly isShort: boolean
}
