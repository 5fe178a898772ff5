import { processRefreshTokenResponse, processRevocationResponse } from "oauth4webapi"
import { AuthError, InvalidProvider } from "../../errors.js"
import type { AuthContext } from "../../model/auth.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"
import type { ResolvedProvider } from "../../model/signin.js"
import type { TokenSet } from "../../model/user.js"
import type { Grants, Refreshed, RevocableToken } from "../../model/vault.js"
import { ProviderError, asksForJson, assertAllowedUrl, isAllowedUrl, isOutOfOrder, request } from "./guarded-fetch.js"
import { type Server, clientAuthentication, clientOf, serverForCallback } from "./server.js"
import { adjust, normalize, tokenBody, withParams } from "./token.js"

/** For a request to the token or the revocation endpoint. Milliseconds. */
const timeoutMs = 5000

/** For a request to an API without a signal of its own. Milliseconds. */
const apiTimeoutMs = 30_000

/** What happens to the tokens of a provider after the sign-in. */
export const grants: Grants<AuthContext> = {
  async allows(auth, given, url, hosts) {
    const provider = requireOAuth(given)
    // A URL with a user name is meant to be read in another way.
    if (url.username !== "" || url.password !== "" || !isAllowedUrl(provider, url)) return false
    if (isAmong([...hosts, ...(provider.tokens.hosts ?? [])], url)) return true
    const own = provider.userinfo.url ?? (await discovered(auth, provider))
    return own !== undefined && own.host === url.host
  },
  scopes(given) {
    const { url, params } = requireOAuth(given).authorization
    return params["scope"] ?? url?.searchParams.get("scope") ?? undefined
  },
  async refresh(auth, given, refreshToken) {
    try {
      return await refresh(auth, requireOAuth(given), refreshToken)
    } catch (cause) {
      const error = cause instanceof Error ? withoutResponse(cause) : new Error(String(cause))
      return { kind: "unavailable", retryAfter: undefined, error }
    }
  },
  revoke: async (auth, given, token) => revoke(auth, requireOAuth(given), token),
  async send(given, url, init) {
    const provider = requireOAuth(given)
    assertAllowedUrl(provider, url)
    const signal = init.signal ?? AbortSignal.timeout(apiTimeoutMs)
    // A redirect would take the token to a host that the application hasn't allowed.
    const response = await provider.fetch(url.href, { ...init, signal, redirect: "manual" })
    if (response.redirected) throw new ProviderError("`fetch` followed a redirect. Let it return redirects")
    return response
  },
}

function requireOAuth(provider: ResolvedProvider): OAuthProvider {
  if (provider.type === "oauth" || provider.type === "oidc") return provider
  throw new InvalidProvider(`The provider "${provider.id}" isn't an OAuth provider, so it has no tokens`)
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

/** RFC 6749 §6. The ID token that may come with it isn't used, so it isn't verified. */
async function refresh(auth: AuthContext, provider: OAuthProvider, refreshToken: string): Promise<Refreshed> {
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
  const { id_token: _, ...strict } = normalize(body)
  const as = { issuer: provider.issuer ?? provider.id }
  const answer = new Response(JSON.stringify(strict))
  return processRefreshTokenResponse(as, clientOf(auth, provider), answer)
}

/** RFC 7009 §2. */
async function revoke(auth: AuthContext, provider: OAuthProvider, { value, kind }: RevocableToken): Promise<boolean> {
  const server = await serverForCallback(auth, provider)
  if (server.revocation === undefined) return false
  const response = await post(auth, provider, "revocation", { token: value, token_type_hint: kind })
  // Another status than 503 means that a further request won't help (RFC 7009 §2.2.1).
  if (isOutOfOrder(response.status)) throw new ProviderError("The revocation endpoint is out of order")
  await processRevocationResponse(response).catch((cause: unknown) => {
    const error = cause instanceof Error ? withoutResponse(cause) : cause
    auth.logger.error(new AuthError(`The provider "${provider.id}" didn't revoke a token`, { cause: error }))
  })
  return true
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
