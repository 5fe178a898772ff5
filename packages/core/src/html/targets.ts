import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import type { OAuthProvider } from "../model/oauth-provider.js"
import { externalSource, thisSite } from "./source.js"

/**
 * CSP sources that a sign-in form can reach without a provider: this site, the callback URL and the custom pages.
 * Chromium applies `form-action` to every redirect after a form submission, not only to the URL in `action`.
 */
export function signInTargets(
  { pages }: AuthContext,
  { origin }: AuthRequest,
  callbackUrl: string | undefined,
): readonly string[] {
  const targets = [callbackUrl, pages.signIn, pages.error, pages.verifyRequest, pages.newUser]
  return [thisSite, ...targets.flatMap((target) => externalSource(origin, target) ?? [])]
}

/**
 * Any https site if there is a provider that the browser is sent to. A list of origins can't work: the authorization
 * endpoint may be known only after discovery, and it may redirect to mobile hosts or brokered identity providers.
 */
export function providerTargets(providers: readonly OAuthProvider[]): readonly string[] {
  if (providers.length === 0) return []
  const usesHttp = providers.flatMap(urlsOf).some((url) => url?.startsWith("http:") === true)
  return usesHttp ? ["https:", "http:"] : ["https:"]
}

function urlsOf({ authorization, issuer, wellKnown, redirectProxyUrl }: OAuthProvider): (string | undefined)[] {
  return [authorization.url?.href, issuer, wellKnown, redirectProxyUrl]
}
