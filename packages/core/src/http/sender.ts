import { MissingCSRF } from "../errors.js"
import { maxOrigin } from "../limits/of-input.js"
import type { AuthContext } from "../model/auth.js"
import type { SessionRequest, Visitor } from "../model/http.js"

/**
 * Who sent a form, according to `Sec-Fetch-Site` and `Origin`. `"silent"`: it has neither, so no browser sent it. `"hidden"`:
 * they don't tell, so the token has to.
 */
export type Sender = "own" | "foreign" | "silent" | "hidden"

export function senderOf(auth: AuthContext, request: SessionRequest): Sender {
  const { headers, origin } = request
  const sender = headers.get("origin")
  switch (headers.get("sec-fetch-site")) {
    case "same-origin":
    case "none":
      return "own"
    case "same-site":
      if (sender === null) return "hidden"
      return sender === origin && !auth.skipsCsrfCheck ? "own" : "foreign"
    case null:
      return sender === null ? "silent" : senderByOrigin(auth, request, sender)
    default:
      return "foreign"
  }
}

/**
 * For a call that an integration makes for a request. A page that was opened from another site may change the session.
 *
 * @throws MissingCSRF if another site sent a form
 */
export function assertOwnForm(auth: AuthContext, { method = "GET" }: Visitor, request: SessionRequest): void {
  const isForm = method !== "GET" && method !== "HEAD"
  if (isForm && senderOf(auth, request) === "foreign")
    throw new MissingCSRF("Another site sent the request, so it can't change the session or the account")
}

/** For browsers that don't send `Sec-Fetch-Site`, and over plain http. */
function senderByOrigin({ security, skipsCsrfCheck }: AuthContext, request: SessionRequest, sender: string): Sender {
  const { origin } = request
  if (sender === origin) return "own"
  if (skipsCsrfCheck) return "foreign"
  // Pages with `Referrer-Policy: no-referrer` send `Origin: null`. Over https, browsers add `Sec-Fetch-Site`. Over plain http
  // they don't, and Auth.js v5 only checks the token.
  if (sender === "null") return !security.listedOriginsOnly && isPlain(origin) ? "hidden" : "foreign"
  return namesHost(sender, request) ? "own" : "foreign"
}

/** Behind a proxy that hides the public host, the `Host` header of the browser tells it. */
function namesHost(sender: string, { headers, origin }: SessionRequest): boolean {
  if (sender.length > maxOrigin || !URL.canParse(sender)) return false
  const { host } = new URL(sender)
  const isDowngrade = isPlain(sender) && !isPlain(origin)
  return !isDowngrade && [headers.get("x-forwarded-host"), headers.get("host")].includes(host)
}

function isPlain(url: string): boolean {
  return new URL(url).protocol === "http:"
}
