import {
  type AuthorizationServer,
  type Client,
  getValidatedIdTokenClaims,
  type IDToken,
  processAuthorizationCodeResponse,
  type ProcessAuthorizationCodeResponseOptions,
  type TokenEndpointResponse,
} from "oauth4webapi"
import type { ErrorCause } from "../../errors.js"
import type { TokenSet } from "../../model/user.js"
import { ExactResponse, parseExactJson } from "../../primitives/exact-json.js"
import { isObject, parseObject, ProviderError } from "./guarded-fetch.js"

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

/** Text from a provider, shortened to printable ASCII for a log line. */
export function brief(value: unknown): string {
  return String(value)
    .replace(/[^\x20-\x7E]+/g, " ")
    .slice(0, 300)
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

function normalize(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
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
