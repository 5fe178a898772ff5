import { CallbackRouteError, OAuthCallbackError } from "../../errors.js"
import { repeatedIn } from "../../http/auth-request.js"
import { redirect } from "../../http/respond.js"
import { setCookie } from "../../http/cookie.js"
import { toRoute } from "../../http/redirect.js"
import { maxAuthorizationCode, maxCallbackParam, maxIssuer, maxProviderError, maxState } from "../../limits/of-input.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest, AuthResult, Params } from "../../model/http.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import type { AccountProof } from "./account-steps.js"
import type { TokenSet } from "../../model/user.js"
import { keepForRetry } from "../../observability/error-reports.js"
import { signedInUserId } from "../../session/current.js"
import { foreignAttempts } from "./compat/attempts.js"
import {
  type Flow,
  type NamedFlow,
  cookieName,
  findFlow,
  flowCookie,
  invalidCheck,
  maxCookieLength,
  openedIn,
  useOnce,
} from "./flow.js"
import { ProviderError, brief, problemOfCode, withProviderErrors } from "./guarded-fetch.js"
import { rawProfile, toProof } from "./profile.js"
import { forward } from "./proxy.js"
import { authenticatedBy } from "./required-authentication.js"
import { type Server, originOf, serverForCallback } from "./server.js"
import { exchangeCode } from "./token.js"

/**
 * The callback of an OAuth provider, up to the proof. No request goes to the provider before the response is known to
 * belong to an attempt of this browser.
 *
 * @throws InvalidCheck; OAuthCallbackError if the provider refuses; CallbackRouteError if it fails or can't be reached;
 *   OAuthProfileParseError; AuthError for a misconfiguration
 */
export async function finish(
  auth: AuthContext,
  provider: OAuthProvider,
  request: AuthRequest,
): Promise<AccountProof | AuthResult> {
  const received = callbackParams(auth, provider, request)
  const forwarded = await forward(auth, provider, request, received)
  if (forwarded !== undefined) return forwarded

  const params = await resumedParams(provider, request, received)
  const { flow, identity } = await findAttempt(auth, provider, request, params)
  const detour = await resumeSameSite(auth, provider, request, { params, flow })
  if (detour !== undefined) return detour

  keepForRetry(request, { provider: provider.id, callbackUrl: flow.callbackUrl, link: flow.link === true })
  useOnce(auth, provider, identity)
  assertNoError(provider, params)
  await assertSameUser(auth, provider, request, flow)

  const { context, tokens, raw, claims } = await withProviderErrors(provider, CallbackRouteError, async () => {
    const server = await serverForCallback(auth, provider)
    assertIssuer(auth, provider, server, params)
    const context = { auth, provider, request, params, flow, server }
    const exchanged = await exchangeCode(context)
    assertTenant(params, exchanged.claims?.iss)
    const tokens = withExpiry(auth, exchanged.tokens)
    return { context, tokens, raw: await rawProfile(context, { ...exchanged, tokens }), claims: exchanged.claims }
  })
  const proof = await toProof(context, tokens, raw)
  return auth.stepUp ? { ...proof, authenticated: authenticatedBy(provider, flow.requires, claims) } : proof
}

/** The attempt that a response belongs to, whichever version started it. */
async function findAttempt(
  auth: AuthContext,
  provider: OAuthProvider,
  request: AuthRequest,
  params: Params,
): Promise<NamedFlow> {
  const found = await (await foreignAttempts(auth))?.findForeignFlow(auth, provider, request, params)
  if (found !== undefined) return found
  const flow = await findFlow(auth, provider, request, params)
  return { flow, identity: flow.state }
}

/** Another user may have signed in since the attempt started. The account must not be linked to that user. */
async function assertSameUser(
  auth: AuthContext,
  provider: OAuthProvider,
  request: AuthRequest,
  { userId, link }: Flow,
): Promise<void> {
  if (userId === undefined) return
  const now = await signedInUserId(auth, request)
  if (now === userId || (now === undefined && link !== true)) return
  throw invalidCheck(provider, "another user was signed in when the attempt started", "other-user")
}

/** RFC 6749 §4.1.2.1. An error wins over a code, and its text only goes to the log. The code flow returns no tokens here. */
function assertNoError({ id }: OAuthProvider, { error, error_description, id_token, access_token }: Params): void {
  if (id_token !== undefined || access_token !== undefined) {
    throw new CallbackRouteError(
      `The provider "${id}" returned tokens instead of a code. Set its response type to "code"`,
      { provider: id },
    )
  }
  if (error === undefined) return
  const problem = problemOfCode(error)
  throw new OAuthCallbackError(`The provider "${id}" didn't sign the user in; the cause has its reason`, {
    providerId: id,
    ...(problem === undefined ? {} : { problem }),
    error: brief(error),
    ...(error_description === undefined ? {} : { error_description: brief(error_description) }),
  })
}

/** RFC 9207 §2.4: refuses the response of another server before the code goes to this one (mix-up attack). */
function assertIssuer(auth: AuthContext, provider: OAuthProvider, { issuer, metadata }: Server, { iss }: Params): void {
  if (iss !== undefined) {
    if (issuer === undefined) return
    // With several tenants only the origin is known before the ID token; `assertTenant` checks the rest.
    if (provider.issuerFor === undefined ? iss === issuer : originOf(iss) === originOf(issuer)) return
    throw new ProviderError("The response names another issuer")
  }
  const promised =
    metadata?.sendsIssuer === true || provider.client["authorization_response_iss_parameter_supported"] === true
  if (promised && auth.security.enforceIssuerChecks) throw new ProviderError("The response doesn't name its issuer")
}

/** Plain OAuth 2.0 has no ID token, so `assertIssuer` is all there is. */
function assertTenant({ iss }: Params, issuer: string | undefined): void {
  if (iss === undefined || issuer === undefined || iss === issuer) return
  throw new ProviderError("The response names another issuer than the ID token")
}

function withExpiry(auth: AuthContext, tokens: TokenSet): TokenSet {
  const { expires_in: seconds } = tokens
  return seconds ? { ...tokens, expires_at: Math.floor(auth.runtime.now() / 1000) + seconds } : tokens
}

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
export function repeatedParam({ rules }: AuthContext, request: AuthRequest): string | undefined {
  const repeated = repeatedIn(request)
  const misplaced = request.method === "POST" ? responseNames.find((name) => name in request.query) : undefined
  const [any] = rules.declaredParams ? repeated : []
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
async function resumeSameSite(
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
async function resumedParams(provider: OAuthProvider, request: AuthRequest, params: Params): Promise<Params> {
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
