import type { Auth } from "../model/auth.js"
import type { Incoming } from "../model/http.js"
import type { OAuthProvider } from "../model/resolved-provider.js"
import { sourceBeyond, thisSite } from "./source.js"

/**
 * Where a sign-in may end without leaving for a provider: here, at the place to return to, at the developer's own pages.
 * Chromium holds every redirect that answers a form against `form-action`, not only the form's own address.
 */
export function endsOfSignIn(
  { pages }: Auth,
  { origin }: Incoming,
  callbackUrl: string | undefined,
): readonly string[] {
  const ends = [callbackUrl, pages.signIn, pages.error, pages.verifyRequest, pages.newUser]
  return [thisSite, ...ends.flatMap((end) => sourceBeyond(origin, end) ?? [])]
}

/**
 * Any https site once there is a provider to leave for: its authorization endpoint may be known only after discovery,
 * and may send the browser on (mobile hosts, brokered identity providers), where a list of origins would stop it.
 */
export function schemesOf(providers: readonly OAuthProvider[]): readonly string[] {
  if (providers.length === 0) return []
  const plain = providers.flatMap(addressesOf).some((address) => address?.startsWith("http:") === true)
  return plain ? ["https:", "http:"] : ["https:"]
}

function addressesOf({ authorization, issuer, wellKnown, redirectProxyUrl }: OAuthProvider): (string | undefined)[] {
  return [authorization.url?.href, issuer, wellKnown, redirectProxyUrl]
}
