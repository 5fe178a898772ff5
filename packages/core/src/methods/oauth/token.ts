import { getValidatedIdTokenClaims, processAuthorizationCodeResponse } from "oauth4webapi"
import type {
  AuthorizationServer,
  Client,
  IDToken,
  ProcessAuthorizationCodeResponseOptions,
  TokenEndpointResponse,
} from "oauth4webapi"
import type { ErrorCause } from "../../errors.js"
import type { TokenSet } from "../../model/user.js"
import { isObject, parseObject, ProviderError } from "./guarded-fetch.js"

/**
 * The body of a token answer. GitHub-like services answer with a form and put errors into status 200.
 *
 * @throws ProviderFault
 */
export async function tokenBody(response: Response, secrets: readonly string[] = []): Promise<Record<string, unknown>> {
  const text = await response.text()
  const { status } = response
  const isForm = /^(?:application\/x-www-form-urlencoded|text\/plain)\b/.test(
    response.headers.get("content-type") ?? "",
  )
  const isFormText = isForm && /^\w+=/.test(text)
  // An error page of a proxy is no JSON: its status says more.
  const hide = (words: unknown) =>
    secrets.reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), String(words))
  if (status !== 200 && !isFormText && !text.trimStart().startsWith("{")) throw refused(status, {}, hide)
  const body = isFormText ? Object.fromEntries(new URLSearchParams(text)) : parseObject(text, "token answer")
  if (status !== 200 || body["error"]) throw refused(status, body, hide)
  return body
}

/** Some servers quote the request in their refusal: what is secret in it stays out of the log. */
function refused(
  status: number,
  { error, error_description }: Record<string, unknown>,
  hide: (words: unknown) => string,
): ProviderError {
  const details: ErrorCause = { status }
  if (error) details["error"] = brief(hide(isObject(error) ? error["message"] : error))
  if (error_description) details["error_description"] = brief(hide(error_description))
  return new ProviderError("The token endpoint did not give tokens", details)
}

/** Words of a stranger, fit for a log line. */
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
 * Forgives what services commonly get wrong (spec/providers.md, "Token response"), then lets the protocol library
 * insist on the rest (RFC 6749 §5.1). An ID token is no business of plain OAuth 2: it stays as it came.
 */
export async function checkTokens(body: Readonly<Record<string, unknown>>, { as, client }: Rules): Promise<TokenSet> {
  const { id_token: idToken, ...strict } = forgive(body)
  const tokens = asTokenSet(await processAuthorizationCodeResponse(as, client, answerOf(strict)))
  return typeof idToken === "string" ? { ...tokens, id_token: idToken } : tokens
}

export interface OpenIdTokens {
  readonly tokens: TokenSet
  /** Of the ID token; its signature is not yet checked. */
  readonly claims: IDToken
  /** What the library keys its proof of the ID token by. */
  readonly answer: Response
}

/** `checkTokens`, and the claims of an ID token that has to be there (OpenID Connect Core §3.1.3.7). */
export async function checkOpenIdTokens(
  body: Readonly<Record<string, unknown>>,
  { as, client, options }: Rules & { readonly options: ProcessAuthorizationCodeResponseOptions },
): Promise<OpenIdTokens> {
  const answer = answerOf(forgive(body))
  const tokens = await processAuthorizationCodeResponse(as, client, answer, { ...options, requireIdToken: true })
  const claims = getValidatedIdTokenClaims(tokens)
  if (claims === undefined) throw new ProviderError("The token answer has no ID token")
  return { tokens: asTokenSet(tokens), claims, answer }
}

/** The same shape: the library's type only allows for absent values inside, and this was JSON a moment ago. */
function asTokenSet(tokens: TokenEndpointResponse): TokenSet {
  return tokens
}

function answerOf(body: Record<string, unknown>): Response {
  return new Response(JSON.stringify(body))
}

function forgive(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
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

/** Beyond this many seconds no date exists that could be stored. */
const longest = 1e11

/** Numbers that were sent as text. */
function numberOf(value: unknown): unknown {
  return typeof value === "string" && value.trim() !== "" ? Number(value) : value
}

function seconds(value: unknown): number {
  const number = numberOf(value)
  if (typeof number === "number" && number >= 0 && number < longest) return number
  throw new ProviderError("The `expires_in` of the token answer is no number of seconds")
}
