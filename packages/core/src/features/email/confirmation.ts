import { page } from "../../http/respond.js"
import { sameMailbox } from "../../http/email-address.js"
import { toRoute } from "../../http/redirect.js"
import type { AuthContext } from "../../model/auth.js"
import type { RequestingDevice } from "../../model/flow.js"
import type { AuthRequest, AuthResult } from "../../model/http.js"
import type { LiveSession } from "../../model/session-strategy.js"
import { liveSession } from "../../session/current.js"
import { masked } from "../../signin/email-links.js"

interface Opened {
  readonly fields: { readonly token: string; readonly email: string; readonly callbackUrl?: string }
  readonly device: RequestingDevice | undefined
}

/**
 * A page with a button that posts, since link scanners follow links but don't submit forms. It says whose account this is,
 * who is signed in now, and what requested the link: an attacker may have sent the link to their own account.
 */
export async function confirmation(
  auth: AuthContext,
  request: AuthRequest,
  { fields, device }: Opened,
): Promise<AuthResult> {
  const { value: csrfToken, cookies } = await request.csrf.token()
  const action = toRoute(request, `callback/${request.providerId}`)
  const account = masked(fields.email)
  const replaces = await signedInUser(auth, request, fields.email)
  return page({ name: "confirm-email", action, fields, csrfToken, account, replaces, device }, cookies)
}

/** The user that the sign-in would replace, if it's another one. An empty text: a user without an email. */
async function signedInUser(auth: AuthContext, request: AuthRequest, email: string): Promise<string | undefined> {
  try {
    const live = await liveSession(auth, request)
    if (live === null) return undefined
    const current = emailOf(live)
    return sameMailbox(current, email) ? undefined : (masked(current) ?? "")
  } catch {
    // The database is down, so the sign-in will fail too, and says so.
    return undefined
  }
}

function emailOf({ content }: LiveSession): unknown {
  return content.kind === "sealed" ? content.claims.email : content.user.email
}
