import { setCookie } from "../../http/cookie.js"
import { redirect } from "../../http/auth-result.js"
import { toRoute } from "../../http/redirect.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest, AuthResult, Params } from "../../model/http.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import { signedInUserId } from "../../session/current.js"
import { cookieName, maxCookieLength, invalidCheck } from "./flow.js"
import type { Flow } from "./flow.js"
import { unseal } from "./unseal.js"

/** Characters; what is longer is nobody's answer (RFC 6749 appendix A.5, A.11: visible characters and space). */
const limits = { code: 4096, state: 1024, error: 1024, iss: 1024 }

/**
 * What the provider sent back: the query, or the form of `response_mode=form_post`.
 *
 * @throws InvalidCheck before anything is done with an answer that cannot be one
 */
export function callbackParams(provider: OAuthProvider, { method, query, body }: AuthRequest): Params {
  const params: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(method === "POST" ? body : query)) {
    if (typeof value === "string") params[name] = value
  }
  for (const [name, limit] of Object.entries(limits)) {
    const value = params[name] ?? ""
    if (value.length > limit || !/^[\x20-\x7E]*$/.test(value))
      throw invalidCheck(provider, `its \`${name}\` is malformed`)
  }
  return params
}

/** Seconds. */
const resumeLifetime = 60

/**
 * A form posted from the provider's page arrives without our `SameSite=Lax` cookies. If the attempt belongs to a
 * signed-in person, the answer is kept sealed for a moment and fetched again by a request of our own site, which has
 * the session. The code never stands in a URL. `undefined`: not needed.
 */
export async function resumeSameSite(
  auth: AuthContext,
  provider: OAuthProvider,
  request: AuthRequest,
  { params, flow }: { readonly params: Params; readonly flow: Flow },
): Promise<AuthResult | undefined> {
  const { scheme, method } = request
  if (method !== "POST" || flow.state === undefined || flow.userId === undefined || params["error"] !== undefined)
    return undefined
  if ((await signedInUserId(auth, request)) !== undefined) return undefined
  const value = await scheme.sealer.seal(purpose(request), { ...params }, resumeLifetime)
  if (value.length > maxCookieLength) return undefined
  const name = cookieName(request, flow.state)
  const brief = (name: string, value: string) =>
    setCookie({ ...scheme.cookies.state, name }, value, { maxAge: resumeLifetime })
  // The attempt is not over: its cookie is given once more, whatever else is said about spent ones.
  const cookies = [brief(name, request.cookies.get(name) ?? ""), brief(`${name}.p`, value)]
  return redirect(toRoute(request, `callback/${provider.id}`, { state: flow.state }), cookies)
}

/** The parameters that `bounce` has kept, or those that came. */
export async function resumedParams(provider: OAuthProvider, request: AuthRequest, params: Params): Promise<Params> {
  const { state } = params
  if (request.method === "POST" || state === undefined) return params
  const value = request.cookies.get(`${cookieName(request, state)}.p`)
  if (value === undefined) return params
  const opened = await unseal(request, purpose(request), value)
  if (opened?.["state"] !== state) throw invalidCheck(provider, "the answer that was kept for it has expired")
  const { iat: _, exp: __, jti: ___, ...kept } = opened
  return callbackParams(provider, { ...request, method: "POST", body: kept })
}

function purpose({ scheme }: AuthRequest): string {
  return `${scheme.cookies.state.name} answer`
}
