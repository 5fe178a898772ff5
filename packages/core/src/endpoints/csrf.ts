import { clearCookie } from "../http/cookie.js"
import { json } from "../http/outcome.js"
import type { Auth } from "../model/auth.js"
import type { Incoming, Outcome } from "../model/http.js"

/** GET csrf: the token that forms of the application must send back. */
export async function readCsrfToken(auth: Auth, { csrf, realm }: Incoming): Promise<Outcome> {
  const { value, cookies } = await csrf.token()
  if (value !== undefined) return json({ csrfToken: value }, cookies)
  auth.logger.warn("csrf-disabled", "The CSRF check is switched off: there is no token to give")
  return { kind: "empty", status: 404, cookies: [clearCookie(realm.cookies.csrfToken)] }
}
