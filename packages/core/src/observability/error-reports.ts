import { toHex } from "../crypto/digest.js"
import type { AuthError } from "../errors.js"
import { maxUserAgent } from "../limits/of-input.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import { createBoundedMap } from "../primitives/bounded-map.js"
import { processState } from "../primitives/state.js"
import { describeError } from "./describe-error.js"

/** What the error page shows about an error that was logged a moment ago. */
export interface ErrorReport {
  readonly id: string
  /** Only in development. */
  readonly detail: string | undefined
}

/** How long a browser may take to open the error page. Milliseconds. */
const lifetimeMs = 60_000

const reports = processState("error-reports", () => createBoundedMap<string, ErrorReport>(1000))

/** Names this occurrence of an error, so that the error page and the log have the same ID. */
export function identify(error: AuthError, random: (bytes: number) => Uint8Array): void {
  error.id = toHex(random(4))
}

/**
 * Keeps the ID for the error page, in the memory of this process. The redirect to that page stays as in Auth.js v5, so the ID
 * can't be in its URL.
 */
export function remember(auth: AuthContext, request: AuthRequest, error: AuthError): void {
  if (error.id === undefined) return
  const detail = auth.development ? describeError(auth.logger.redacted(error)) : undefined
  const now = auth.runtime.now()
  reports.set(keyOf(auth, request), { id: error.id, detail }, { expires: now + lifetimeMs, now })
}

export function reportFor(auth: AuthContext, request: AuthRequest): ErrorReport | undefined {
  return reports.get(keyOf(auth, request), auth.runtime.now())
}

/** The CSRF cookie is different in each browser. Without one, the error may not be the one of this visitor. */
function keyOf(auth: AuthContext, { headers, cookies, scheme, origin, peer }: AuthRequest): string {
  const cookie = cookies.get(scheme.cookies.csrfToken.name)
  const names = ["user-agent", "accept-language", "x-forwarded-for"].map((name) =>
    headers.get(name)?.slice(0, maxUserAgent),
  )
  return JSON.stringify([origin, auth.basePath, ...(cookie === undefined ? [peer, ...names] : [cookie.slice(0, 64)])])
}
