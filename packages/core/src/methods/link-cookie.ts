import { authenticate, sha256 } from "../crypto/digest.js"
import { clearCookie, setCookie } from "../http/cookie.js"
import type { Auth } from "../model/auth.js"
import type { Cookie, SetCookie } from "../model/cookie.js"
import type { Incoming } from "../model/http.js"
import { perStore } from "../per-store.js"

/** A code for typing, which could be guessed, and no token of a link. */
export function isShort(token: string): boolean {
  return token.length < 6 || /^\d{1,10}$/.test(token)
}

/** Marks the browser that asks for a link, for as many seconds as the link lives. */
export async function bindToBrowser(auth: Auth, incoming: Incoming, token: string, maxAge: number): Promise<SetCookie> {
  const name = await cookieName(auth.secrets[0], incoming, token)
  const sealed = await incoming.realm.vault.seal(purpose, { token: await sha256(token) }, maxAge)
  return setCookie({ ...linkCookie(incoming), name }, sealed, { maxAge })
}

/** Whether this browser asked for the link. One that has guessed at a short code too often did not. */
export async function openedWhereAsked(auth: Auth, incoming: Incoming, token: string): Promise<boolean> {
  if (isAhead(incoming)) return false
  const sealed = incoming.cookies.get((await presentName(auth, incoming, token)) ?? "")
  const asked = sealed !== undefined && (await sealedToken(incoming, sealed)) === (await sha256(token))
  if (!isShort(token)) return asked
  if (!asked) await countMiss(auth, incoming)
  return asked && (missesOf(auth).get(sealed) ?? 0) < mostMisses
}

/** Nobody is looking at the page (yet): a look ahead must not use the link up. */
function isAhead({ method, headers }: Incoming): boolean {
  if (method === "POST") return false
  const purposes = [headers.get("sec-purpose"), headers.get("purpose")]
  const mode = headers.get("sec-fetch-mode") ?? "navigate"
  return method === "HEAD" || mode !== "navigate" || purposes.some((purpose) => purpose?.includes("prefetch"))
}

export async function spentLinkCookie(auth: Auth, incoming: Incoming, token: string): Promise<readonly SetCookie[]> {
  const name = await presentName(auth, incoming, token)
  return name !== undefined && !isAhead(incoming) ? [clearCookie(linkCookie(incoming), name)] : []
}

const purpose = "email link"

function linkCookie({ realm }: Incoming): Cookie {
  return realm.cookies.nonce
}

/** Keyed: whoever asked for a link for somebody else must not read a short code out of the name of their cookie. */
async function cookieName(secret: string | undefined, incoming: Incoming, token: string): Promise<string> {
  const mark = await authenticate(secret ?? "", "email link cookie", token)
  return `${linkCookie(incoming).name}.${mark.slice(0, 16)}`
}

/** A link may be opened after another secret came first. */
async function presentName({ secrets }: Auth, incoming: Incoming, token: string): Promise<string | undefined> {
  for (const secret of secrets) {
    const name = await cookieName(secret, incoming, token)
    if (incoming.cookies.has(name)) return name
  }
  return undefined
}

async function sealedToken({ realm }: Incoming, sealed: string): Promise<unknown> {
  try {
    return (await realm.vault.open(purpose, sealed)).payload["token"]
  } catch {
    return undefined
  }
}

const missesOf = perStore(() => new Map<string, number>())
const mostMisses = 5
const mostRemembered = 10_000

/** A wrong code counts against every code that this browser asked for: without their cookies a guess cannot win. */
async function countMiss(auth: Auth, incoming: Incoming): Promise<void> {
  const counts = missesOf(auth)
  const prefix = `${linkCookie(incoming).name}.`
  for (const [name, sealed] of incoming.cookies) {
    if (!name.startsWith(prefix) || (await sealedToken(incoming, sealed)) === undefined) continue
    counts.set(sealed, (counts.get(sealed) ?? 0) + 1)
    const [oldest] = counts.size > mostRemembered ? counts.keys() : []
    if (oldest !== undefined) counts.delete(oldest)
  }
}
