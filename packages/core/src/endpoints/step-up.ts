import { RecentSignInRequired } from "../errors.js"
import { resolveCallbackUrl, toPage, toRoute } from "../http/redirect.js"
import { redirect } from "../http/respond.js"
import { levelInQuery, stepUpParams } from "../http/step-up.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest, AuthResult } from "../model/http.js"
import { stepUpRoute } from "../model/step-up.js"
import { isSufficient, pageThatAsks } from "../signin/step-up.js"

/**
 * GET step-up: asks the user again, and leads back to the page that asked. A sign-in leads here, too, so that an OAuth provider is told
 * to ask for credentials, and so that a sign-in that wasn't enough isn't repeated without end.
 */
export async function stepUp(auth: AuthContext, request: AuthRequest): Promise<AuthResult> {
  const { query } = request
  const asked = levelInQuery(query)
  const to = await resolveCallbackUrl(auth, request, query["to"])
  if (await isSufficient(auth, request, asked)) return redirect(to)
  const page = await pageThatAsks(auth, request, asked, to)
  if (page !== undefined) return redirect(page)
  if (query["signed_in"] === "1")
    throw new RecentSignInRequired("The sign-in wasn't recent or strong enough for the page that asked for it")
  const callbackUrl = toRoute(request, stepUpRoute, { ...stepUpParams(asked, to), signed_in: "1" })
  return redirect(toPage(request, auth.pages.signIn ?? toRoute(request, "signin"), { callbackUrl }))
}
