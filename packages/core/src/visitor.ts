import { parseCookies } from "./http/cookie.js"
import { resolveOrigin } from "./http/origin.js"
import type { SessionAuth } from "./model/auth.js"
import type { Visit } from "./session/current.js"

/** What a framework knows of a request: enough to tell who it is from. */
export interface Visitor {
  readonly headers: Headers
  /** The `Cookie` header where the framework knows better than `headers`: the application may have changed a cookie. */
  readonly cookie?: string | undefined
  /** Scheme and host as the framework sees them. @default from `AUTH_URL` or the `Host` header */
  readonly origin?: string | undefined
  /** The network address at the other end, for the limits on attempts; a private one is not counted. */
  readonly address?: string | undefined
}

/** @throws UntrustedHost */
export function visitOf(auth: SessionAuth, { headers, origin, cookie = headers.get("cookie") ?? "" }: Visitor): Visit {
  const resolved = resolveOrigin(auth.config, auth.origin, auth.security.listedOriginsOnly, {
    own: origin ?? ownOrigin(headers),
    headers,
  })
  const realm = (auth.config.useSecureCookies ?? resolved.startsWith("https:")) ? auth.https : auth.http
  return { realm, headers, origin: resolved, cookies: parseCookies(cookie) }
}

/** Without a proxy's word the scheme is a guess: https, as everywhere but on the developer's machine. */
function ownOrigin(headers: Headers): string {
  const host = headers.get("host") ?? "localhost"
  const scheme = /^(?:localhost|127\.0\.0\.1|\[::1\])(?::|$)/.test(host) ? "http" : "https"
  return URL.canParse(`${scheme}://${host}`) ? new URL(`${scheme}://${host}`).origin : "http://localhost"
}
