import { AuthError } from "../errors.js"
import type { SetCookie } from "../model/cookie.js"
import { withClaims } from "../session/sealed-content.js"
import { writeSessionCookie } from "../session/session-cookie.js"
import type { SignedIn } from "./signed-in.js"

/** A sealed session has a copy of the email. In other browsers the copy stays until the next sign-in. */
export async function renewWithEmail(
  { auth, request, live }: SignedIn,
  formerEmail: string | null,
  email: string,
): Promise<readonly SetCookie[]> {
  const { content } = live
  if (content.kind !== "sealed" || (content.claims.email ?? null) !== formerEmail) return []
  const { scheme, cookies } = request
  try {
    const changed = { ...withClaims(live, { ...content.claims, email }), outdated: true }
    const renewal = await scheme.sessions.renew(changed, { data: { user: { email } }, sender: "application" })
    if (renewal.kind !== "issue") return []
    return writeSessionCookie(scheme.cookies.sessionToken, renewal.issued, cookies, auth.runtime.now())
  } catch (cause) {
    auth.logger.error(new AuthError("Could not write the new email into the session; a sign-in does", { cause }))
    return []
  }
}
