import { processRefreshTokenResponse, processRevocationResponse } from "oauth4webapi"
import { AuthError } from "../../../errors.js"
import type { AuthContext } from "../../../model/auth.js"
import type { OAuthProvider } from "../../../model/oauth-provider.js"
import type { TokenSet } from "../../../model/user.js"
import { ProviderError, asksForJson, isAllowedUrl, isOutOfOrder, request } from "../guarded-fetch.js"
import { type Server, clientAuthentication, clientOf, serverForCallback } from "../server.js"
import { adjust, normalize, tokenBody, withParams } from "../token.js"
import { assertAudiences, claimsOf } from "../verify-token.js"

/** For a request to the token or the revocation endpoint. Milliseconds. */
const timeoutMs = 5000

/** For a request to an API without a signal of its own. Milliseconds. */
const apiTimeoutMs = 30_000

/** An OAuth provider of the configuration. */
export function oauthProvider(auth: AuthContext, id: string): OAuthProvider | undefined {
  const provider = auth.providers.get(id)
  return provider?.type === "oauth" || provider?.type === "oidc" ? provider : undefined
}

/** Whether a URL may get access tokens: its host is one of `hosts`, of the provider's own, or of its userinfo endpoint. */
export async function mayHaveToken(
  auth: AuthContext,
  provider: OAuthProvider,
  url: URL,
  hosts: readonly string[],
): Promise<boolean> {
  // A URL with a user name is meant to be read in another way.
  if (url.username !== "" || url.password !== "" || !isAllowedUrl(provider, url)) return false
  if (isAmong([...hosts, ...(provider.tokens.hosts ?? [])], url)) return true
  const own = provider.userinfo.url ?? (await discovered(auth, provider))
  return own !== undefined && own.host === url.host
}

/** The scopes of a token whose response names none (RFC 6749 §5.1). */
export function askedScopes({ authorization: { url, params } }: OAuthProvider): string | undefined {
  return params["scope"] ?? url?.searchParams.get("scope") ?? undefined
}

/** A request to an API with an access token. Redirects are returned. */
export async function callApi(provider: OAuthProvider, url: URL, init: RequestInit): Promise<Response> {
  const signal = init.signal ?? AbortSignal.timeout(apiTimeoutMs)
  // A redirect would take the token to a host that the application hasn't allowed.
  const response = await provider.fetch(url.href, { ...init, signal, redirect: "manual" })
  if (response.redirected) throw new ProviderError("`fetch` followed a redirect. Let it return redirects")
  return response
}

export type Refreshed =
  | { readonly kind: "tokens"; readonly tokens: TokenSet }
  /** The refresh token doesn't work anymore. */
  | { readonly kind: "refused" }
  /** `retryAfter` is in seconds, as the provider says it. */
  | { readonly kind: "unavailable"; readonly retryAfter: number | undefined; readonly error: Error }

/** RFC 6749 §6. Never throws. @param identity whose tokens they are */
export async function refresh(
  auth: AuthContext,
  provider: OAuthProvider,
  refreshToken: string,
  identity: string | undefined,
): Promise<Refreshed> {
  try {
    const refreshed = await requestRefresh(auth, provider, refreshToken)
    if (refreshed.kind === "tokens") assertSameUser(provider, refreshed.tokens, identity)
    return refreshed
  } catch (cause) {
    const error = cause instanceof Error ? withoutResponse(cause) : new Error(String(cause))
    return { kind: "unavailable", retryAfter: undefined, error }
  }
}

function isAmong(hosts: readonly string[], { host }: URL): boolean {
  return hosts.some((each) => (each.startsWith("*.") ? host.endsWith(each.slice(1)) : host === each))
}

async function discovered(auth: AuthContext, provider: OAuthProvider): Promise<URL | undefined> {
  try {
    return (await serverForCallback(auth, provider)).userinfo
  } catch {
    // Then only the listed hosts count.
    return undefined
  }
}

/** Issuer, subject and time of an ID token, as JSON. */
export function identityOf(
  provider: OAuthProvider | undefined,
  { id_token: jwt }: Pick<TokenSet, "id_token">,
): string | undefined {
  if (jwt === undefined || provider?.type !== "oidc") return undefined
  const { iss, sub, iat } = claimsOf(jwt)
  return JSON.stringify([iss, sub, iat])
}

/** OpenID Connect Core §12.2. The ID token came over TLS from the token endpoint, and signs no user in. */
function assertSameUser(provider: OAuthProvider, { id_token: jwt }: TokenSet, identity: string | undefined): void {
  if (identity === undefined || jwt === undefined) return
  const [iss, sub, iat] = JSON.parse(identity)
  const claims = claimsOf(jwt)
  assertAudiences(provider, claims)
  if (claims["iss"] !== iss || claims["sub"] !== sub || Number(claims["iat"]) < iat)
    throw new ProviderError("The ID token of a refresh is of another user or issuer, or older than the last one")
}

async function requestRefresh(auth: AuthContext, provider: OAuthProvider, refreshToken: string): Promise<Refreshed> {
  const response = await post(auth, provider, "token", { grant_type: "refresh_token", refresh_token: refreshToken })
  const { status } = response
  if (isOutOfOrder(status)) {
    const error = new ProviderError(`The token endpoint answered with status ${status}`, { status })
    return { kind: "unavailable", retryAfter: retryAfterOf(auth, response), error }
  }
  try {
    const body = await tokenBody(
      (await provider.token.conform?.(response.clone())) ?? response,
      secretsOf(provider, refreshToken),
    )
    return { kind: "tokens", tokens: await checked(auth, provider, body) }
  } catch (cause) {
    if (cause instanceof ProviderError && isRefusal(cause.details)) return { kind: "refused" }
    throw cause
  }
}

function secretsOf({ clientSecret }: OAuthProvider, refreshToken: string): readonly string[] {
  return [refreshToken, ...(clientSecret ? [clientSecret] : [])]
}

/** RFC 6749 §5.2, and what services answer in its place. */
const refusals: ReadonlySet<unknown> = new Set(["invalid_grant", "bad_refresh_token", "invalid_refresh_token"])

function isRefusal({ error }: { readonly [detail: string]: unknown }): boolean {
  return refusals.has(error)
}

async function checked(
  auth: AuthContext,
  provider: OAuthProvider,
  body: Readonly<Record<string, unknown>>,
): Promise<TokenSet> {
  const { id_token: jwt, ...strict } = normalize(body)
  const as = { issuer: provider.issuer ?? provider.id }
  const answer = new Response(JSON.stringify(strict))
  const tokens = await processRefreshTokenResponse(as, clientOf(auth, provider), answer)
  return typeof jwt === "string" ? { ...tokens, id_token: jwt } : tokens
}

export interface RevocableToken {
  readonly value: string
  readonly kind: "access_token" | "refresh_token"
}

/** RFC 7009 §2. Does nothing if the provider has no endpoint for it. @throws if it has to be tried again */
export async function revoke(
  auth: AuthContext,
  provider: OAuthProvider,
  { value, kind }: RevocableToken,
): Promise<void> {
  const server = await serverForCallback(auth, provider)
  if (server.revocation === undefined) return
  const response = await post(auth, provider, "revocation", { token: value, token_type_hint: kind })
  // Another status than 503 means that a further request won't help (RFC 7009 §2.2.1).
  if (isOutOfOrder(response.status)) throw new ProviderError("The revocation endpoint is out of order")
  await processRevocationResponse(response).catch((cause: unknown) => {
    const error = cause instanceof Error ? withoutResponse(cause) : cause
    auth.logger.error(new AuthError(`The provider "${provider.id}" didn't revoke a token`, { cause: error }))
  })
}

async function post(
  auth: AuthContext,
  provider: OAuthProvider,
  endpoint: "token" | "revocation",
  fields: Readonly<Record<string, string>>,
): Promise<Response> {
  const signal = AbortSignal.timeout(timeoutMs)
  const server = await serverForCallback(auth, provider)
  const url = urlOf(provider, server, endpoint)
  const body = new URLSearchParams(fields)
  const headers = new Headers(asksForJson)
  const as = { issuer: server.issuer ?? url.href }
  await clientAuthentication(provider, server, auth.runtime.now())(as, clientOf(auth, provider), body, headers)
  if (endpoint === "token") adjust(body, provider.token.body?.({}))
  headers.set("content-type", "application/x-www-form-urlencoded")
  // Nothing may be sent that a caller doesn't wait for anymore: a rotated token would be lost.
  signal.throwIfAborted()
  return request(provider, url, { method: "POST", headers, body: body.toString(), signal })
}

function urlOf(provider: OAuthProvider, server: Server, endpoint: "token" | "revocation"): URL {
  const { refresh } = provider.tokens
  if (endpoint === "token" && refresh !== undefined) return new URL(refresh)
  const url = server[endpoint]
  if (url === undefined || (endpoint === "token" && provider.token.request !== undefined))
    throw new AuthError(`The provider "${provider.id}" has no ${endpoint} endpoint that is known here`)
  return endpoint === "token" ? withParams(url, provider.token.params) : url
}

/** RFC 9110 §10.2.3: seconds, or a date. */
function retryAfterOf({ runtime }: AuthContext, { headers }: Response): number | undefined {
  const text = headers.get("retry-after") ?? ""
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, Math.ceil((date - runtime.now()) / 1000))
}

/** The cause of an error of `oauth4webapi` is the response, tokens included. */
function withoutResponse(error: Error): Error {
  if (error instanceof AuthError) return error
  return Object.assign(new Error(error.message), { name: error.name })
}
