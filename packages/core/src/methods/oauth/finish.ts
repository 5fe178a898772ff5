import { CallbackRouteError, OAuthCallbackError } from "../../errors.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest, AuthResult, Params } from "../../model/http.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import type { AccountProof } from "../../model/signin.js"
import type { TokenSet } from "../../model/user.js"
import { keepForRetry } from "../../observability/error-reports.js"
import { signedInUserId } from "../../session/current.js"
import { identityOf, toFlow } from "./authjs-cookies.js"
import { callbackParams, resumedParams, resumeSameSite } from "./callback.js"
import { exchangeCode } from "./exchange-code.js"
import { findFlow, type Flow, invalidCheck, useOnce } from "./flow.js"
import { ProviderError, withProviderErrors } from "./guarded-fetch.js"
import { problemOfCode } from "./provider-problem.js"
import { rawProfile, toProof } from "./profile.js"
import { forward } from "./proxy.js"
import { originOf, type Server, serverForCallback } from "./server.js"
import { brief } from "./token.js"
import { findForeignAttempt } from "./version4-attempt.js"

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
  const authjs = await findForeignAttempt(auth, provider, request, params)
  const flow =
    authjs === undefined ? await findFlow(provider, request, params) : await toFlow(auth, provider, request, authjs)
  const detour = await resumeSameSite(auth, provider, request, { params, flow })
  if (detour !== undefined) return detour

  keepForRetry(request, { provider: provider.id, callbackUrl: flow.callbackUrl, link: flow.link === true })
  useOnce(auth, provider, authjs === undefined ? flow : { ...flow, state: identityOf(authjs) })
  assertNoError(provider, params)
  await assertSameUser(auth, provider, request, flow)

  const { context, tokens, raw } = await withProviderErrors(provider, CallbackRouteError, async () => {
    const server = await serverForCallback(auth, provider)
    assertIssuer(auth, provider, server, params)
    const context = { auth, provider, request, params, flow, server }
    const exchanged = await exchangeCode(context)
    assertTenant(params, exchanged.claims?.iss)
    const tokens = withExpiry(auth, exchanged.tokens)
    return { context, tokens, raw: await rawProfile(context, { ...exchanged, tokens }) }
  })
  return toProof(context, tokens, raw)
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
