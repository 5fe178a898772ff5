import { isObject } from "../../primitives/defined.js"
import {
  type AuthorizationServer,
  type Client,
  type IDToken,
  type ProcessAuthorizationCodeResponseOptions,
  type TokenEndpointResponse,
  expectNoNonce,
  getValidatedIdTokenClaims,
  processAuthorizationCodeResponse,
} from "oauth4webapi"
import { AuthError, type ErrorCause } from "../../errors.js"
import type { AuthContext } from "../../model/auth.js"
import type { AuthRequest, Params } from "../../model/http.js"
import type { OAuthProvider, ProviderContext } from "../../model/oauth-provider.js"
import type { RawProfile } from "../../model/provider.js"
import type { TokenSet } from "../../model/user.js"
import { keepSecret } from "../../observability/in-flight.js"
import { ExactResponse, parseExactJson } from "../../primitives/exact-json.js"
import { type Flow, callbackUri } from "./flow.js"
import { ProviderError, brief, guardedFetch, parseObject, request, asksForJson } from "./guarded-fetch.js"
import { type Server, clientAuthentication, clientOf } from "./server.js"
import {
  type Signed,
  assertIdToken,
  claimsOf,
  publicKeyAlgorithms,
  tenantIssuer,
  verifySignature,
} from "./verify-token.js"

/**
 * The body of a token response. Some services, GitHub for one, answer with a form or report errors with status 200.
 *
 * @param secrets texts to remove from error descriptions
 *
 * @throws ProviderError
 */
export async function tokenBody(response: Response, secrets: readonly string[] = []): Promise<Record<string, unknown>> {
  const text = await response.text()
  const { status } = response
  const isForm = /^(?:application\/x-www-form-urlencoded|text\/plain)\b/.test(
    response.headers.get("content-type") ?? "",
  )
  const isFormText = isForm && /^\w+=/.test(text)
  // The error page of a proxy isn't JSON, and its status says more.
  const hide = (text: unknown) => secrets.reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), String(text))
  if (status !== 200 && !isFormText && !text.trimStart().startsWith("{")) throw refused(status, {}, hide)
  const body = isFormText ? Object.fromEntries(new URLSearchParams(text)) : parseTokens(response, text)
  if (status !== 200 || body["error"]) throw refused(status, body, hide)
  return body
}

/** A hook may have made its response of rounded numbers. They stay numbers, so that none becomes an id. */
function parseTokens(response: Response, text: string): Record<string, unknown> {
  return parseObject(text, "token response", response instanceof ExactResponse ? parseExactJson : JSON.parse)
}

/** Some servers quote the request in the error description, so its secrets are removed. */
function refused(
  status: number,
  { error, error_description }: Record<string, unknown>,
  hide: (text: unknown) => string,
): ProviderError {
  const details: ErrorCause = { status }
  if (error) details["error"] = brief(hide(isObject(error) ? error["message"] : error))
  if (error_description) details["error_description"] = brief(hide(error_description))
  return new ProviderError("The token endpoint returned no tokens", details)
}

interface Rules {
  readonly as: AuthorizationServer
  readonly client: Client
}

/**
 * Corrects common mistakes of services, then has `oauth4webapi` check the rest (RFC 6749 §5.1). Plain OAuth 2.0 doesn't
 * define ID tokens, so an ID token passes through unchecked.
 */
export async function checkTokens(body: Readonly<Record<string, unknown>>, { as, client }: Rules): Promise<TokenSet> {
  const { id_token: idToken, ...strict } = normalize(body)
  const tokens = asTokenSet(await processAuthorizationCodeResponse(as, client, answerOf(strict)))
  return typeof idToken === "string" ? { ...tokens, id_token: idToken } : tokens
}

export interface OpenIdTokens {
  readonly tokens: TokenSet
  /** The claims of the ID token. Its signature isn't verified yet. */
  readonly claims: IDToken
  /** The response that `oauth4webapi` keys its validation by. */
  readonly answer: Response
}

/** `checkTokens` with a required ID token (OpenID Connect Core §3.1.3.7). */
export async function checkOpenIdTokens(
  body: Readonly<Record<string, unknown>>,
  { as, client, options }: Rules & { readonly options: ProcessAuthorizationCodeResponseOptions },
): Promise<OpenIdTokens> {
  const answer = answerOf(normalize(body))
  const tokens = await processAuthorizationCodeResponse(as, client, answer, { ...options, requireIdToken: true })
  const claims = getValidatedIdTokenClaims(tokens)
  if (claims === undefined) throw new ProviderError("The token response has no ID token")
  return { tokens: asTokenSet(tokens), claims, answer }
}

function asTokenSet(tokens: TokenEndpointResponse): TokenSet {
  return tokens
}

function answerOf(body: Record<string, unknown>): Response {
  return new Response(JSON.stringify(body))
}

export function normalize(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { scope, refresh_token: refreshToken, expires_in: expiresIn, expires_at: given, ...rest } = body
  const expiresAt = numberOf(given)
  return {
    ...rest,
    token_type: rest["token_type"] ?? "bearer",
    ...(scope === null || scope === undefined ? {} : { scope: Array.isArray(scope) ? scope.join(" ") : scope }),
    ...(refreshToken === null || refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    ...(expiresIn === undefined ? {} : { expires_in: seconds(expiresIn) }),
    ...(Number.isFinite(expiresAt) ? { expires_at: expiresAt } : {}),
  }
}

/** Beyond this many seconds `Date` has no value. */
const maxSeconds = 1e11

/** Some services send numbers as text. */
function numberOf(value: unknown): unknown {
  return typeof value === "string" && value.trim() !== "" ? Number(value) : value
}

function seconds(value: unknown): number {
  const number = numberOf(value)
  if (typeof number === "number" && number >= 0 && number < maxSeconds) return number
  throw new ProviderError("The `expires_in` of the token response isn't a number of seconds")
}

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
  const headers = new Headers(asksForJson)
  const as = { issuer: server.issuer ?? server.token.href }
  await clientAuthentication(provider, server, auth.runtime.now())(as, clientOf(auth, provider), body, headers)
  adjust(body, provider.token.body?.(params))
  headers.set("content-type", "application/x-www-form-urlencoded")
  keepSecret(incoming, Object.fromEntries(headers), Object.fromEntries(body))
  return request(provider, url, { method: "POST", headers, body: body.toString() })
}

/** Adds or replaces form fields, for services that want more than RFC 6749. */
export function adjust(form: URLSearchParams, fields: Readonly<Record<string, string | undefined>> = {}): void {
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
