import { expectNoNonce, type ProcessAuthorizationCodeResponseOptions } from "oauth4webapi"
import { AuthError } from "../../errors.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest, Params } from "../../model/http.js"
import type { OAuthProvider, ProviderContext } from "../../model/oauth-provider.js"
import type { RawProfile } from "../../model/provider.js"
import type { TokenSet } from "../../model/user.js"
import { keepSecret } from "../../observability/in-flight.js"
import { clientAuthentication, clientOf } from "./client.js"
import { callbackUri, type Flow } from "./flow.js"
import { guardedFetch, ProviderError, request } from "./guarded-fetch.js"
import type { Server } from "./server.js"
import { checkOpenIdTokens, checkTokens, tokenBody } from "./token.js"
import {
  assertIdToken,
  claimsOf,
  publicKeyAlgorithms,
  type Signed,
  tenantIssuer,
  verifySignature,
} from "./verify-token.js"

/** Everything about one callback. */
export interface CallbackContext {
  readonly auth: AuthContext
  readonly provider: OAuthProvider
  readonly request: AuthRequest
  readonly params: Params
  readonly flow: Flow
  readonly server: Server
}

export interface TokenExchange {
  readonly tokens: TokenSet
  /** The claims of the verified ID token. `undefined`: plain OAuth 2.0. */
  readonly claims: (RawProfile & { readonly iss: string; readonly sub: string }) | undefined
}

/** Exchanges the code for tokens and verifies the ID token of an OpenID provider. */
export async function exchangeCode(context: CallbackContext): Promise<TokenExchange> {
  const { provider, server } = context
  const body = await requestTokens(context)
  keepSecret(context.request, body)
  if (provider.type === "oidc") return exchangeOpenIdCode(context, body)
  const as = { issuer: server.issuer ?? provider.id }
  return { tokens: await checkTokens(body, { as, client: clientOf(context.auth, provider) }), claims: undefined }
}

async function exchangeOpenIdCode(
  context: CallbackContext,
  body: Readonly<Record<string, unknown>>,
): Promise<TokenExchange> {
  const { auth, provider, server, flow } = context
  const issuer = tenantIssuer(provider, server, body["id_token"])
  const algorithms = publicKeyAlgorithms(server.metadata?.idTokenAlgorithms)
  const as = { issuer, ...(algorithms === undefined ? {} : { id_token_signing_alg_values_supported: algorithms }) }
  const options: ProcessAuthorizationCodeResponseOptions = { expectedNonce: flow.nonce ?? expectNoNonce }
  const { tokens, claims, answer } = await checkOpenIdTokens(body, { as, client: clientOf(auth, provider), options })
  const { id_token: jwt = "", access_token: accessToken = "" } = tokens
  await assertIdToken(context, { claims, jwt, accessToken })
  await assertSignature(context, { answer, jwt })
  return { tokens, claims: { ...claimsOf(jwt), iss: claims.iss, sub: claims.sub } }
}

function assertSignature({ auth, provider, server }: CallbackContext, signed: Signed): Promise<void> {
  if (server.jwks !== undefined || provider.client.id_token_signed_response_alg?.startsWith("HS") === true) {
    return verifySignature(auth, provider, server, signed)
  }
  if (auth.security.enforceIssuerChecks)
    throw new ProviderError("The provider publishes no keys to verify its signature with")
  // OpenID Connect Core §3.1.3.7 (6): for a token straight from the token endpoint, TLS may replace the signature.
  auth.logger.debug(
    "The provider publishes no keys, so its ID token is trusted because it came over TLS",
    () => provider.id,
  )
  return Promise.resolve()
}

async function requestTokens(context: CallbackContext): Promise<Readonly<Record<string, unknown>>> {
  const { provider, params, flow } = context
  if (provider.token.request !== undefined) {
    const { verifier, state, nonce } = flow
    const checks = {
      redirect_uri: flow.redirectUri,
      ...(verifier === undefined ? {} : { code_verifier: verifier }),
      ...(state === undefined ? {} : { state }),
      ...(nonce === undefined ? {} : { nonce }),
    }
    return (await provider.token.request({ params, checks, provider: contextOf(context) })).tokens
  }
  const response = await postCode(context)
  const secrets = [params["code"], flow.verifier, provider.clientSecret].flatMap((each) => (each ? [each] : []))
  return tokenBody((await provider.token.conform?.(response.clone())) ?? response, secrets)
}

/** RFC 6749 §4.1.3, RFC 7636 §4.5. */
async function postCode(context: CallbackContext): Promise<Response> {
  const { auth, provider, params, flow, server, request: incoming } = context
  if (server.token === undefined)
    throw new AuthError(`The provider "${provider.id}" has no token endpoint. Set \`token\``)
  const { code } = params
  if (!code) throw new ProviderError("The response has no authorization code")
  const url = withParams(server.token, provider.token.params)
  const body = new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri: flow.redirectUri })
  if (flow.verifier !== undefined) body.set("code_verifier", flow.verifier)
  const headers = new Headers({ accept: "application/json", "user-agent": "latchkey" })
  const as = { issuer: server.issuer ?? server.token.href }
  await clientAuthentication(provider, server, auth.runtime.now())(as, clientOf(auth, provider), body, headers)
  adjust(body, provider.token.body?.(params))
  headers.set("content-type", "application/x-www-form-urlencoded")
  keepSecret(incoming, Object.fromEntries(headers), Object.fromEntries(body))
  return request(provider, url, { method: "POST", headers, body: body.toString() })
}

/** Adds or replaces form fields, for services that want more than RFC 6749. */
function adjust(form: URLSearchParams, fields: Readonly<Record<string, string | undefined>> = {}): void {
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) form.delete(name)
    else form.set(name, value)
  }
}

export function withParams(url: URL, params: Readonly<Record<string, string>>): URL {
  const whole = new URL(url)
  for (const [name, value] of Object.entries(params)) whole.searchParams.set(name, value)
  return whole
}

/** The provider as its hooks get it. Its `fetch` follows the rules of `guarded-fetch.ts`. */
export function contextOf({ provider, request }: CallbackContext): ProviderContext {
  const signinUrl = `${request.base}/signin/${provider.id}`
  return { ...provider, fetch: guardedFetch(provider), signinUrl, callbackUrl: callbackUri(provider, request) }
}
