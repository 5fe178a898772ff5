import { authenticate, sha256 } from "../../crypto/digest.js"
import { Verification } from "../../errors.js"
import { unseal } from "../../http/attempt.js"
import { clearCookie, setCookie, withHostPrefix } from "../../http/cookie.js"
import { maxLinkCookies } from "../../limits/of-input.js"
import type { VerificationToken } from "../../model/adapter.js"
import type { AuthContext } from "../../model/auth.js"
import type { Cookie, SetCookie } from "../../model/cookie.js"
import type { AuthRequest } from "../../model/http.js"
import { keepSecret } from "../../observability/in-flight.js"
import { createBoundedMap, mutexOf, stateOf } from "../../primitives/state.js"
import type { AskedLink, CodeTicket, StoredRow } from "./sent-links.js"
import { checkedToken } from "../../signin/email-links.js"
import { tokenStore } from "./token.js"

/** Whether a token is as short as a code, so it could be guessed. */
export function isShort(token: string): boolean {
  return token.length < 6 || /^\d{1,10}$/.test(token)
}

interface Binding {
  readonly token: string
  readonly row: VerificationToken
  /** Lifetime of the link in seconds. */
  readonly maxAge: number
  readonly ticket: CodeTicket | undefined
}

/** More cookies may not fit into one header. */
const maxLinks = 5

/** Sets a cookie that marks the browser which requests a link, for as long as the link lives. */
export async function bindToBrowser(
  auth: AuthContext,
  request: AuthRequest,
  { token, row, maxAge, ticket }: Binding,
): Promise<readonly SetCookie[]> {
  const name = await cookieName(auth.secrets[0], request, token)
  // The hash depends on all secrets. Later this browser can still find the link without those that were removed.
  const kept = auth.secrets.length > 1 ? row.token : undefined
  const short = isShort(token)
  const counted = ticket !== undefined || short ? { ...row, expires: row.expires.getTime() } : undefined
  const content = { token: await sha256(token), stored: kept, ticket, row: counted, short }
  const sealed = await request.scheme.sealer.seal(purpose, content, maxAge)
  const former = (await linksAskedFor(request)).filter(({ cookie }) => cookie !== name)
  const forgotten = former.slice(maxLinks - 1).map(({ cookie }) => forget(request, cookie))
  return [...forgotten, setCookie({ ...linkCookie(request), name }, sealed, { maxAge })]
}

/** Whether this browser requested the link, and hasn't tried too many short codes. */
export async function openedWhereAsked(auth: AuthContext, request: AuthRequest, token: string): Promise<boolean> {
  if (isPrefetch(request)) return false
  const links = await linksAskedFor(request)
  const digest = await sha256(token)
  const asked = links.find((link) => link.token === digest)
  if (!isShort(token)) return asked !== undefined
  // A wrong code counts against every code that this browser requested. Without their cookies a guess can't succeed.
  if (asked === undefined) for (const link of links) if (link.isShort) await tryCode(auth, link, false)
  return asked !== undefined && triesOf(auth, asked) < maxTries
}

/** Whether a short token that was used has had too many tries, in any process. */
export async function isTriedTooOften(request: AuthRequest, token: string, used: VerificationToken): Promise<boolean> {
  if (!isShort(token)) return false
  const digest = await sha256(token)
  const row = (await linksAskedFor(request)).find((link) => link.token === digest)?.row
  return row !== undefined && !hasTriesLeft(row, used)
}

/** How the token of a link is stored, if this browser requested it and the configured secrets don't tell. */
export async function storedToken(request: AuthRequest, token: string): Promise<string | undefined> {
  const digest = await sha256(token)
  return (await linksAskedFor(request)).find((link) => link.token === digest)?.stored
}

/** A prefetch, HEAD or background request must not consume the link. */
function isPrefetch({ method, headers }: AuthRequest): boolean {
  if (method === "POST") return false
  const purposes = [headers.get("sec-purpose"), headers.get("purpose")]
  const mode = headers.get("sec-fetch-mode") ?? "navigate"
  return method === "HEAD" || mode !== "navigate" || purposes.some((purpose) => purpose?.includes("prefetch"))
}

export async function consumedLinkCookie(
  auth: AuthContext,
  request: AuthRequest,
  token: string,
): Promise<readonly SetCookie[]> {
  const name = await presentName(auth, request, token)
  return name !== undefined && !isPrefetch(request) ? [forget(request, name)] : []
}

/** Removes the cookie of a link. */
export function forget(request: AuthRequest, cookie: string): SetCookie {
  return clearCookie(linkCookie(request), cookie)
}

/** The links that this browser requested, newest first. */
export async function linksAskedFor(request: AuthRequest): Promise<readonly AskedLink[]> {
  const prefix = `${linkCookie(request).name}.`
  // Browsers send older cookies first.
  const named = [...request.cookies].filter(([name]) => name.startsWith(prefix)).slice(-maxLinkCookies)
  const links = await Promise.all(named.map(([cookie, sealed]) => unsealed(request, cookie, sealed)))
  // Of equally old ones the later comes first: browsers send older cookies first (RFC 6265 §5.4).
  return links
    .filter((link) => link !== undefined)
    .toReversed()
    .toSorted((a, b) => b.asked - a.asked)
}

const purpose = "email link"

function linkCookie({ scheme }: AuthRequest): Cookie {
  return withHostPrefix(scheme.cookies.nonce)
}

/** A keyed hash, so that an attacker who requests a link for a victim can't compute a short code from the cookie name. */
async function cookieName(secret: string | undefined, request: AuthRequest, token: string): Promise<string> {
  const mark = await authenticate(secret ?? "", "email link cookie", token)
  return `${linkCookie(request).name}.${mark.slice(0, 16)}`
}

/** The link may be opened after a secret was added in front. */
async function presentName({ secrets }: AuthContext, request: AuthRequest, token: string): Promise<string | undefined> {
  for (const secret of secrets) {
    const name = await cookieName(secret, request, token)
    if (request.cookies.has(name)) return name
  }
  return undefined
}

async function unsealed(request: AuthRequest, cookie: string, sealed: string): Promise<AskedLink | undefined> {
  try {
    const { payload } = await unseal(request, purpose, sealed)
    const { token, iat, stored, ticket, row, short } = payload
    keepSecret(request, payload, stored)
    if (typeof token !== "string" || typeof iat !== "number") return undefined
    const known = typeof stored === "string" ? stored : undefined
    if (isTicket(ticket)) keepSecret(request, ticket.stored)
    return {
      cookie,
      token,
      stored: known,
      asked: iat,
      ticket: isTicket(ticket) ? ticket : undefined,
      row: isRow(row) ? row : undefined,
      isShort: short === true,
    }
  } catch {
    return undefined
  }
}

function isRow(value: unknown): value is StoredRow {
  if (typeof value !== "object" || value === null || !("expires" in value)) return false
  const texts = ["identifier", "token"].every((key) => typeof Reflect.get(value, key) === "string")
  return texts && typeof value.expires === "number"
}

/** The cookie may come from an earlier version with another shape. */
function isTicket(value: unknown): value is CodeTicket {
  if (typeof value !== "object" || value === null || !("ends" in value) || typeof value.ends !== "number") return false
  return ["provider", "identifier", "stored", "code"].every((key) => typeof Reflect.get(value, key) === "string")
}

export const maxTries = 5

/** Each wrong try ends the stored token this much sooner. Some databases store whole seconds. Milliseconds. */
const step = 10_000

const tries = stateOf("code-tries", () => createBoundedMap<string, number>(10_000))

/** How many wrong codes were tried in this process that may have been meant for this link. */
export function triesOf(auth: AuthContext, { token }: AskedLink): number {
  return tries(auth).get(token) ?? 0
}

/** Counts a try and returns whether one was left. Both happen in one step, since attackers try in parallel. */
function countTry(auth: AuthContext, link: AskedLink): boolean {
  const before = triesOf(auth, link)
  tries(auth).set(link.token, before + 1)
  return before < maxTries
}

/**
 * Counts a try for a link. The database takes out the row of the link in one atomic step, so the try counts in every process:
 * the row goes back with an earlier expiry. A right code uses it up, if a try was left.
 *
 * @returns the used token of a right code
 */
export async function tryCode(
  auth: AuthContext,
  link: AskedLink,
  isRight: boolean,
): Promise<VerificationToken | undefined> {
  const { row } = link
  if (!countTry(auth, link) || row === undefined) return undefined
  const adapter = tokenStore(auth)
  return mutexOf(auth).runExclusive(row.token, async () => {
    const found = await adapter.useVerificationToken({ identifier: row.identifier, token: row.token })
    const used = found ? unexpired(auth, found, row) : undefined
    if (used === undefined) return undefined
    const isLeft = hasTriesLeft(row, used)
    if (isRight && isLeft) return used
    const expires = new Date(used.expires.getTime() - (isLeft ? step : 0))
    await adapter.createVerificationToken({ ...used, expires })
    return undefined
  })
}

/** Whether a token that was taken out of the database may still be used, after the tries that any process counted. */
function hasTriesLeft({ expires }: Pick<StoredRow, "expires">, used: VerificationToken): boolean {
  return Math.round((expires - used.expires.getTime()) / step) < maxTries
}

function unexpired(auth: AuthContext, found: VerificationToken, row: StoredRow): VerificationToken | undefined {
  try {
    return checkedToken(found, row.identifier, row.token, auth.runtime.now())
  } catch (cause) {
    if (cause instanceof Verification) return undefined
    throw cause
  }
}
