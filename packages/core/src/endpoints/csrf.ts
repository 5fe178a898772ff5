import { json } from "../http/auth-result.js"
import { clearCookie } from "../http/cookie.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, AuthResult } from "../model/http.js"

/** GET csrf: the token that the application's own forms send as `csrfToken`. */
export async function readCsrfToken(auth: AuthContext, { csrf, scheme }: AuthRequest): Promise<AuthResult> {
  const { value, cookies } = await csrf.token()
  if (value !== undefined) return json({ csrfToken: value }, cookies)
  auth.logger.warn("csrf-disabled", "`skipCSRFCheck` is set, so there is no CSRF token")
  return { kind: "empty", status: 404, cookies: [clearCookie(scheme.cookies.csrfToken)] }
}
