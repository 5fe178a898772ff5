import type { Incoming } from "../../model/http.js"
import type { OAuthProvider } from "../../model/resolved-provider.js"

export function callbackAddress({ id }: OAuthProvider, { base }: Incoming): string {
  return `${base}/callback/${id}`
}

/** Where the provider sends the person: the proxy, if this deployment is behind one. */
export function redirectUri(provider: OAuthProvider, incoming: Incoming): string {
  const proxy = proxyInFront(provider, incoming)
  const own = proxy === undefined ? callbackAddress(provider, incoming) : `${proxy}/callback/${provider.id}`
  return provider.authorization.params["redirect_uri"] ?? own
}

/** The proxy that answers come through; `undefined`: none, or this deployment is it. */
export function proxyInFront({ redirectProxyUrl }: OAuthProvider, { origin }: Incoming): string | undefined {
  if (redirectProxyUrl === undefined || new URL(redirectProxyUrl).origin === origin) return undefined
  return redirectProxyUrl.replace(/\/$/, "")
}
