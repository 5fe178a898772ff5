import { expectNoNonce } from "oauth4webapi"
import type { ProcessAuthorizationCodeResponseOptions } from "oauth4webapi"
import { AuthError } from "../../errors.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest, Params } from "../../model/http.js"
import type { ProviderContext, OAuthProvider } from "../../model/oauth-provider.js"
import type { RawProfile } from "../../model/provider.js"
import type { TokenSet } from "../../model/user.js"
import { callbackUri } from "./redirect-uri.js"
import { clientAuthentication, clientOf } from "./client.js"
import type { Flow } from "./flow.js"
import { assertIdToken, publicKeyAlgorithms, tenantIssuer } from "./id-token.js"
import { type Signed, verifySignature } from "./keys.js"
import { guardedFetch, ProviderError, request } from "./guarded-fetch.js"
import type { Server } from "./server.js"
import { checkOpenIdTokens, checkTokens, tokenBody } from "./token.js"

/** Everything that one callback is about. */
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
  /** Of the verified ID token; `undefined` for plain OAuth 2. */
  readonly claims: (RawProfile & { readonly iss: string; readonly sub: string }) | undefined
}

/** Code → tokens, and what the ID token says if there has to be one. */
export async function exchangeCode(exchange: CallbackContext): Promise<TokenExchange> {
  const { provider, server } = exchange
  const body = await requestTokens(exchange)
  if (provider.type === "oidc") return exchangeOpenIdCode(exchange, body)
  const as = { issuer: server.issuer ?? provider.id }
  return { tokens: await checkTokens(body, { as, client: clientOf(exchange.auth, provider) }), claims: undefined }
}

async function exchangeOpenIdCode(
  exchange: CallbackContext,
  body: Readonly<Record<string, unknown>>,
): Promise<TokenExchange> {
  const { auth, provider, server, flow } = exchange
  const issuer = tenantIssuer(provider, server, body["id_token"])
  const algorithms = publicKeyAlgorithms(server.metadata?.idTokenAlgorithms)
  const as = { issuer, ...(algorithms === undefined ? {} : { id_token_signing_alg_values_supported: algorithms }) }
  const options = openIdOptions(auth.security.enforceIssuerChecks, flow)
  const { tokens, claims, answer } = await checkOpenIdTokens(body, { as, client: clientOf(auth, provider), options })
  const { id_token: jwt = "", access_token: accessToken = "" } = tokens
  await assertIdToken(exchange, { claims, jwt, accessToken })
  await assertSignature(exchange, { answer, jwt })
  return { tokens, claims }
}

function openIdOptions(strict: boolean, { nonce, maxAge }: Flow): ProcessAuthorizationCodeResponseOptions {
  return { expectedNonce: nonce ?? expectNoNonce, ...(strict && maxAge !== undefined ? { maxAge } : {}) }
}

function assertSignature({ auth, provider, server }: CallbackContext, signed: Signed): Promise<void> {
  if (server.jwks !== undefined || provider.client.id_token_signed_response_alg?.startsWith("HS") === true) {
    return verifySignature(auth, provider, server, signed)
  }
  if (auth.security.enforceIssuerChecks)
    throw new ProviderError("The provider publishes no keys to check its signature with")
  // OpenID Connect Core §3.1.3.7 (6): TLS stands in for the signature of a token that came from the server itself.
  auth.logger.debug("The provider publishes no keys: its ID token is trusted as it came over TLS", () => provider.id)
  return Promise.resolve()
}

async function requestTokens(exchange: CallbackContext): Promise<Readonly<Record<string, unknown>>> {
  const { provider, params, flow } = exchange
  if (provider.token.request !== undefined) {
    const { verifier, state, nonce } = flow
    const checks = {
      redirect_uri: flow.redirectUri,
      ...(verifier === undefined ? {} : { code_verifier: verifier }),
      ...(state === undefined ? {} : { state }),
      ...(nonce === undefined ? {} : { nonce }),
    }
    return (await provider.token.request({ params, checks, provider: contextOf(exchange) })).tokens
  }
  const response = await postCode(exchange)
  const secrets = [params["code"], flow.verifier, provider.clientSecret].flatMap((each) => (each ? [each] : []))
  return tokenBody((await provider.token.conform?.(response.clone())) ?? response, secrets)
}

/** RFC 6749 §4.1.3, RFC 7636 §4.5. */
async function postCode({ auth, provider, params, flow, server }: CallbackContext): Promise<Response> {
  if (server.token === undefined)
    throw new AuthError(`The provider "${provider.id}" has no token endpoint: set \`token\``)
  const { code } = params
  if (!code) throw new ProviderError("The answer holds no authorization code")
  const url = withParams(server.token, provider.token.params)
  const body = new URLSearchParams({ grant_type: "authorization_code", code, redirect_uri: flow.redirectUri })
  if (flow.verifier !== undefined) body.set("code_verifier", flow.verifier)
  const headers = new Headers({ accept: "application/json", "user-agent": "latchkey" })
  const as = { issuer: server.issuer ?? server.token.href }
  await clientAuthentication(provider, server, auth.runtime.now())(as, clientOf(auth, provider), body, headers)
  adjust(body, provider.token.body?.(params))
  headers.set("content-type", "application/x-www-form-urlencoded")
  return request(provider, url, { method: "POST", headers, body: body.toString() })
}

/** What a service wants besides, or instead of, the fields of RFC 6749. */
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

/** What a hook of the provider gets: its `fetch` keeps our rules. */
export function contextOf({ provider, request }: CallbackContext): ProviderContext {
  const signinUrl = `${request.base}/signin/${provider.id}`
  return { ...provider, fetch: guardedFetch(provider), signinUrl, callbackUrl: callbackUri(provider, request) }
}
