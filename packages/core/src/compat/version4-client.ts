import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"

/**
 * Whether the browser code of next-auth 4 sent the form, as in a tab that was open when the application moved to version 5. It
 * reads the URL of a redirect as JSON, and says so in a field.
 */
export function isVersion4Client(
  { compat }: Pick<AuthContext, "compat">,
  { body }: Pick<AuthRequest, "body">,
): boolean {
  return compat && body["json"] === "true"
}
