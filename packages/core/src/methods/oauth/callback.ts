import { redirect } from "../../http/auth-result.js"
import { setCookie } from "../../http/cookie.js"
import { toRoute } from "../../http/redirect.js"
import { repeatedIn } from "../../http/repeated.js"
import { maxAuthorizationCode, maxCallbackParam, maxIssuer, maxProviderError, maxState } from "../../limits/of-input.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest, AuthResult, Params } from "../../model/http.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import { signedInUserId } from "../../session/current.js"
import { cookieName, type Flow, flowCookie, invalidCheck, maxCookieLength, openedIn } from "./flow.js"

/** Characters, far more than any provider sends. RFC 6749 appendix A allows printable ASCII only in these. */
const maxLengths = { code: maxAuthorizationCode, state: maxState, error: maxProviderError, iss: maxIssuer }

/** Parameters of a response (RFC 6749 §4.1.2, RFC 9207, OpenID Connect Core §3.2.2.5, JARM §2.3). */
const responseNames =
  "code state iss error error_description error_uri response session_state access_token token_type expires_in scope id_token".split(
    " ",
  )

/**
 * A parameter that a response has twice, in the query or the form, or that is in the query of a form: which one counts is a
 * guess (RFC 6749 §3.1). Under `"strict"` that holds for every name.
 */
export function repeatedParam({ mode }: AuthContext, request: AuthRequest): string | undefined {
  const repeated = repeatedIn(request)
  const misplaced = request.method === "POST" ? responseNames.find((name) => name in request.query) : undefined
  const [any] = mode === "strict" ? repeated : []
  const structured = responseNames.find((name) => isStructured(request.body[name]))
  return responseNames.find((name) => repeated.has(name)) ?? misplaced ?? structured ?? any
}

/** A list or an object of a JSON body. */
function isStructured(value: unknown): value is AuthRequest["body"] {
  return typeof value === "object" && value !== null
}

/**
 * The parameters of the provider's response: the query, or the form of `response_mode=form_post`.
 *
 * @throws InvalidCheck
 */
export function callbackParams(auth: AuthContext, provider: OAuthProvider, request: AuthRequest): Params {
  const repeated = repeatedParam(auth, request)
  if (repeated !== undefined) {
    const name = /^\w{1,40}$/.test(repeated) ? `\`${repeated}\`` : "a parameter"
    throw invalidCheck(provider, `it has ${name} more than once`)
  }
  return readParams(provider, request.method === "POST" ? request.body : request.query)
}

function readParams(provider: OAuthProvider, given: AuthRequest["body"]): Params {
  const params: Record<string, string> = Object.create(null)
  for (const [name, value] of Object.entries(given)) {
    if (typeof value !== "string") continue
    if (value.length > maxCallbackParam) throw invalidCheck(provider, "one of its parameters is too long")
    params[name] = value
  }
  for (const [name, maxLength] of Object.entries(maxLengths)) {
    const value = params[name] ?? ""
    if (value.length > maxLength || !/^[\x20-\x7E]*$/.test(value)) {
      throw invalidCheck(provider, `its \`${name}\` is malformed`)
    }
  }
  return params
}

/** Seconds. */
const resumeLifetime = 60

/**
 * A form posted from the provider's page arrives without `SameSite=Lax` cookies, so without the session. If the attempt
 * belongs to a signed-in user, the parameters go into a sealed cookie for a minute, and a redirect to this site sends the
 * request again with all cookies. The code never appears in a URL. `undefined`: no need.
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
  const value = await scheme.sealer.seal(purpose(request), { params, attempt: flow.state }, resumeLifetime)
  if (value.length > maxCookieLength) return undefined
  const name = cookieName(provider, request, flow.state)
  const shortLived = (name: string, value: string) =>
    setCookie({ ...flowCookie(provider, request), name }, value, { maxAge: resumeLifetime })
  // The attempt goes on, so its cookie is set again after `consumedCookies` clears it.
  const cookies = [shortLived(name, request.cookies.get(name) ?? ""), shortLived(`${name}.p`, value)]
  return redirect(toRoute(request, `callback/${provider.id}`, { state: flow.state }), cookies)
}

/** The parameters that `resumeSameSite` kept, or those of this request. */
export async function resumedParams(provider: OAuthProvider, request: AuthRequest, params: Params): Promise<Params> {
  const { state } = params
  if (request.method === "POST" || state === undefined) return params
  const value = request.cookies.get(`${cookieName(provider, request, state)}.p`)
  if (value === undefined) return params
  const opened = await openedIn(request, purpose(request), value)
  // The parameters themselves have no `state` if the provider got none.
  if (opened?.["attempt"] !== state || !isStructured(opened["params"]))
    throw invalidCheck(provider, "the parameters kept for it have expired", "expired")
  return readParams(provider, opened["params"])
}

function purpose({ scheme }: AuthRequest): string {
  return `${scheme.cookies.state.name} answer`
}
