import { json } from "../http/respond.js"
import { clearCookie } from "../http/cookie.js"
import { csrfOf } from "../http/csrf.js"
import { toSessionRequest } from "../http/origin.js"
import type { AuthContext } from "../model/auth.js"
import type { SetCookie } from "../model/cookie.js"
import type { AuthRequest, AuthResult, Visitor } from "../model/http.js"

/** GET csrf: the token that the application's own forms send as `csrfToken`. */
export async function readCsrfToken(auth: AuthContext, { csrf, scheme }: AuthRequest): Promise<AuthResult> {
  const { value, cookies } = await csrf.token()
  if (value !== undefined) return json({ csrfToken: value }, cookies)
  // A client that asks isn't a mistake of the application, and a 404 would be an error on the console of the browser.
  if (auth.checksSender) return json({ csrfToken: "" }, [clearCookie(scheme.cookies.csrfToken)])
  auth.logger.warn("csrf-disabled", "`skipCSRFCheck` is set, so there is no CSRF token")
  return { kind: "empty", status: 404, cookies: [clearCookie(scheme.cookies.csrfToken)] }
}

/** A CSRF token with the cookies to set. */
export interface CsrfToken {
  readonly token: string
  readonly cookies: readonly SetCookie[]
}

/** The token for forms that server code renders. */
export async function csrfTokenFor(auth: AuthContext, visitor: Visitor): Promise<CsrfToken> {
  const { value = "", cookies } = await csrfOf(auth, toSessionRequest(auth, visitor), {}).token()
  return { token: value, cookies }
}
