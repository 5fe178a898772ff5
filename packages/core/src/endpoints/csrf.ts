import { clearCookie } from "../http/cookie.js"
import { json } from "../http/auth-result.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, AuthResult } from "../model/http.js"

/** GET csrf: the token that forms of the application must send back. */
export async function readCsrfToken(auth: AuthContext, { csrf, scheme }: AuthRequest): Promise<AuthResult> {
  const { value, cookies } = await csrf.token()
  if (value !== undefined) return json({ csrfToken: value }, cookies)
  auth.logger.warn("csrf-disabled", "The CSRF check is switched off: there is no token to give")
  return { kind: "empty", status: 404, cookies: [clearCookie(scheme.cookies.csrfToken)] }
}
