import type { AuthRequest } from "../../model/http.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"

export function callbackUri({ id }: OAuthProvider, { base }: AuthRequest): string {
  return `${base}/callback/${id}`
}

/** Where the provider sends the person: the proxy, if this deployment is behind one. */
export function redirectUri(provider: OAuthProvider, request: AuthRequest): string {
  const proxy = proxyInFront(provider, request)
  const own = proxy === undefined ? callbackUri(provider, request) : `${proxy}/callback/${provider.id}`
  return provider.authorization.params["redirect_uri"] ?? own
}

/** The proxy that answers come through; `undefined`: none, or this deployment is it. */
export function proxyInFront({ redirectProxyUrl }: OAuthProvider, { origin }: AuthRequest): string | undefined {
  if (redirectProxyUrl === undefined || new URL(redirectProxyUrl).origin === origin) return undefined
  return redirectProxyUrl.replace(/\/$/, "")
}
