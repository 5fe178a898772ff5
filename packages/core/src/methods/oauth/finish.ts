import { OAuthCallbackError } from "../../errors.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest, AuthResult, Params } from "../../model/http.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import type { AccountProof } from "../../model/signin.js"
import type { TokenSet } from "../../model/user.js"
import { signedInUserId } from "../../session/current.js"
import { resumeSameSite, resumedParams, callbackParams } from "./callback.js"
import { findFlow, invalidCheck, useOnce } from "./flow.js"
import type { Flow } from "./flow.js"
import { rawProfile, toProof } from "./profile.js"
import { forward } from "./proxy.js"
import { exchangeCode } from "./exchange-code.js"
import { withProviderErrors, ProviderError } from "./guarded-fetch.js"
import { originOf, serverForCallback } from "./server.js"
import type { Server } from "./server.js"
import { brief } from "./token.js"

/**
 * callback/:provider (spec/flows.md §2). Nothing leaves for the provider before the answer is known to belong to an
 * attempt of this browser.
 *
 * @throws InvalidCheck, OAuthCallbackError, OAuthProfileParseError; AuthError for a misconfiguration
 */
export async function finish(
  auth: AuthContext,
  provider: OAuthProvider,
  request: AuthRequest,
): Promise<AccountProof | AuthResult> {
  const received = callbackParams(provider, request)
  const forwarded = await forward(auth, provider, request, received)
  if (forwarded !== undefined) return forwarded

  const params = await resumedParams(provider, request, received)
  const flow = await findFlow(provider, request, params)
  const detour = await resumeSameSite(auth, provider, request, { params, flow })
  if (detour !== undefined) return detour

  useOnce(auth, provider, flow)
  assertNoError(provider, params)
  await assertSameUser(auth, provider, request, flow)

  const { exchange, tokens, raw } = await withProviderErrors(provider, OAuthCallbackError, async () => {
    const server = await serverForCallback(auth, provider)
    assertIssuer(auth, provider, server, params)
    const exchange = { auth, provider, request, params, flow, server }
    const redeemed = await exchangeCode(exchange)
    assertTenant(params, redeemed.claims?.iss)
    const tokens = withExpiry(auth, redeemed.tokens)
    return { exchange, tokens, raw: await rawProfile(exchange, { ...redeemed, tokens }) }
  })
  return toProof(exchange, tokens, raw)
}

/** Somebody else has signed in since: the account must not end up with them. */
async function assertSameUser(
  auth: AuthContext,
  provider: OAuthProvider,
  request: AuthRequest,
  { userId, link }: Flow,
): Promise<void> {
  if (userId === undefined) return
  const now = await signedInUserId(auth, request)
  if (now === userId || (now === undefined && link !== true)) return
  throw invalidCheck(provider, "the attempt was begun while somebody else was signed in")
}

/** RFC 6749 §4.1.2.1. An error wins over a code; its text is for the log only. Tokens do not come this way. */
function assertNoError({ id }: OAuthProvider, { error, error_description, id_token, access_token }: Params): void {
  if (id_token !== undefined || access_token !== undefined) {
    throw new OAuthCallbackError(`The provider "${id}" answered with tokens: set its response type to "code"`, {
      providerId: id,
    })
  }
  if (error === undefined) return
  throw new OAuthCallbackError(`The provider "${id}" did not sign the person in: the cause has its reason`, {
    providerId: id,
    error: brief(error),
    ...(error_description === undefined ? {} : { error_description: brief(error_description) }),
  })
}

/** RFC 9207 §2.4: an answer of another server is refused before the code is shown to this one. */
function assertIssuer(auth: AuthContext, provider: OAuthProvider, { issuer, metadata }: Server, { iss }: Params): void {
  if (iss !== undefined) {
    if (issuer === undefined) return
    // With many tenants only the origin is known before the ID token: see `assertTenant`.
    if (provider.issuerFor === undefined ? iss === issuer : originOf(iss) === originOf(issuer)) return
    throw new ProviderError("The answer names another issuer")
  }
  const promised =
    metadata?.sendsIssuer === true || provider.client["authorization_response_iss_parameter_supported"] === true
  if (promised && auth.security.enforceIssuerChecks) throw new ProviderError("The answer does not name its issuer")
}

/** Plain OAuth 2 has no ID token: then `assertIssuer` has said all. */
function assertTenant({ iss }: Params, issuer: string | undefined): void {
  if (iss === undefined || issuer === undefined || iss === issuer) return
  throw new ProviderError("The answer names another issuer than the ID token")
}

function withExpiry(auth: AuthContext, tokens: TokenSet): TokenSet {
  const { expires_in: seconds } = tokens
  return seconds ? { ...tokens, expires_at: Math.floor(auth.runtime.now() / 1000) + seconds } : tokens
}
