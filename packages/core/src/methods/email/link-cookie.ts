import { authenticate, sha256 } from "../../crypto/digest.js"
import { clearCookie, setCookie } from "../../http/cookie.js"
import type { AuthContext } from "../../model/auth.js"
import type { Cookie, SetCookie } from "../../model/cookie.js"
import type { AuthRequest } from "../../model/http.js"
import { scopedToAdapter } from "../../primitives/scoped-to-adapter.js"

/** A code for typing, which could be guessed, and no token of a link. */
export function isShort(token: string): boolean {
  return token.length < 6 || /^\d{1,10}$/.test(token)
}

/** By what a browser that asked for a link may have it for a code that is typed: it was mailed with the link. */
export interface CodeTicket {
  readonly provider: string
  readonly identifier: string
  /** The token of the link as it stands in the store: whichever comes first uses it up. */
  readonly stored: string
  readonly code: string
  /** Milliseconds since 1970. */
  readonly ends: number
  readonly callbackUrl: string | undefined
}

/** A link that this browser asked for. */
export interface AskedLink {
  /** The name of the cookie that says so. */
  readonly cookie: string
  /** Digest of the token. */
  readonly token: string
  /** Seconds since 1970. */
  readonly asked: number
  readonly ticket: CodeTicket | undefined
}

interface Binding {
  readonly token: string
  /** Seconds that the link lives. */
  readonly maxAge: number
  readonly ticket: CodeTicket | undefined
}

/** What a browser remembers at most, so that its cookies fit into one header. */
const maxLinks = 5

/** Marks the browser that asks for a link, for as long as the link lives; the oldest mark makes room. */
export async function bindToBrowser(
  auth: AuthContext,
  request: AuthRequest,
  { token, maxAge, ticket }: Binding,
): Promise<readonly SetCookie[]> {
  const name = await cookieName(auth.secrets[0], request, token)
  const sealed = await request.scheme.sealer.seal(purpose, { token: await sha256(token), ticket }, maxAge)
  const former = (await linksAskedFor(request)).filter(({ cookie }) => cookie !== name)
  const forgotten = former.slice(maxLinks - 1).map(({ cookie }) => forget(request, cookie))
  return [...forgotten, setCookie({ ...linkCookie(request), name }, sealed, { maxAge })]
}

/** Whether this browser asked for the link. One that has guessed at a short code too often did not. */
export async function openedWhereAsked(auth: AuthContext, request: AuthRequest, token: string): Promise<boolean> {
  if (isAhead(request)) return false
  const links = await linksAskedFor(request)
  const digest = await sha256(token)
  const asked = links.find((link) => link.token === digest)
  if (!isShort(token)) return asked !== undefined
  // A wrong code counts against every code that this browser asked for: without their cookies a guess cannot win.
  if (asked === undefined) for (const link of links) countTry(auth, link)
  return asked !== undefined && triesOf(auth, asked) < maxTries
}

/** Nobody is looking at the page (yet): a look ahead must not use the link up. */
function isAhead({ method, headers }: AuthRequest): boolean {
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
  return name !== undefined && !isAhead(request) ? [forget(request, name)] : []
}

/** Takes the mark off the browser. */
export function forget(request: AuthRequest, cookie: string): SetCookie {
  return clearCookie(linkCookie(request), cookie)
}

/** The links that this browser asked for and that may still live, the newest first. */
export async function linksAskedFor(request: AuthRequest): Promise<readonly AskedLink[]> {
  const prefix = `${linkCookie(request).name}.`
  const named = [...request.cookies].filter(([name]) => name.startsWith(prefix))
  const links = await Promise.all(named.map(([cookie, sealed]) => unsealed(request, cookie, sealed)))
  // Of equal age the later one: browsers send cookies in the order in which they got them (RFC 6265 §5.4).
  return links
    .filter((link) => link !== undefined)
    .toReversed()
    .toSorted((a, b) => b.asked - a.asked)
}

const purpose = "email link"

function linkCookie({ scheme }: AuthRequest): Cookie {
  return scheme.cookies.nonce
}

/** Keyed: whoever asked for a link for somebody else must not read a short code out of the name of their cookie. */
async function cookieName(secret: string | undefined, request: AuthRequest, token: string): Promise<string> {
  const mark = await authenticate(secret ?? "", "email link cookie", token)
  return `${linkCookie(request).name}.${mark.slice(0, 16)}`
}

/** A link may be opened after another secret came first. */
async function presentName({ secrets }: AuthContext, request: AuthRequest, token: string): Promise<string | undefined> {
  for (const secret of secrets) {
    const name = await cookieName(secret, request, token)
    if (request.cookies.has(name)) return name
  }
  return undefined
}

async function unsealed({ scheme }: AuthRequest, cookie: string, sealed: string): Promise<AskedLink | undefined> {
  try {
    const { token, iat, ticket } = (await scheme.sealer.open(purpose, sealed)).payload
    if (typeof token !== "string" || typeof iat !== "number") return undefined
    return { cookie, token, asked: iat, ticket: isTicket(ticket) ? ticket : undefined }
  } catch {
    return undefined
  }
}

/** Only we can seal one; a former version of ours may have known another form. */
function isTicket(value: unknown): value is CodeTicket {
  if (typeof value !== "object" || value === null || !("ends" in value) || typeof value.ends !== "number") return false
  return ["provider", "identifier", "stored", "code"].every((key) => typeof Reflect.get(value, key) === "string")
}

const tries = scopedToAdapter(() => new Map<string, number>())
export const maxTries = 5
const maxCounted = 10_000

/** How often a code was typed in vain that may have been meant for this link. */
export function triesOf(auth: AuthContext, { token }: AskedLink): number {
  return tries(auth).get(token) ?? 0
}

/** Counts one more, in the same step in which it says whether there was one left: guesses come in parallel. */
export function countTry(auth: AuthContext, link: AskedLink): boolean {
  const counts = tries(auth)
  const before = triesOf(auth, link)
  counts.set(link.token, before + 1)
  const [oldest] = counts.size > maxCounted ? counts.keys() : []
  if (oldest !== undefined) counts.delete(oldest)
  return before < maxTries
}
