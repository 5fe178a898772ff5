import type { AuthRequest } from "../../model/http.js"
import type { OAuthProvider } from "../../model/oauth-provider.js"

/** The callback of this deployment. */
export function callbackUri({ id }: OAuthProvider, { base }: AuthRequest): string {
  return `${base}/callback/${id}`
}

/** Where the provider sends the browser: to the redirect proxy if there is one, otherwise to this deployment. */
export function redirectUri(provider: OAuthProvider, request: AuthRequest): string {
  const proxy = proxyInFront(provider, request)
  const own = proxy === undefined ? callbackUri(provider, request) : `${proxy}/callback/${provider.id}`
  return provider.authorization.params["redirect_uri"] ?? own
}

/** The redirect proxy. `undefined`: none is configured, or this deployment is the proxy. */
export function proxyInFront({ redirectProxyUrl }: OAuthProvider, { origin }: AuthRequest): string | undefined {
  if (redirectProxyUrl === undefined || new URL(redirectProxyUrl).origin === origin) return undefined
  return redirectProxyUrl.replace(/\/$/, "")
}
