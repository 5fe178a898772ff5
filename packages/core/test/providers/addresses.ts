import { expect } from "vitest"
import type { OAuthEndpoint, OAuthProvider } from "../../src/model/oauth-provider.js"
import type { Facts, Fields } from "./facts.js"

/** Where the provider sends whom with what, wherever that was written down. */
export function expectAddresses(
  provider: OAuthProvider,
  { authorization, token, userinfo, discovery, type }: Facts,
): void {
  expect(whole(provider.authorization, false)).toBe(written(authorization.url))
  expect(withoutProtocol(provider)).toEqual(authorization.params ?? {})
  // What the query holds may be part of the address or of the request.
  expect(whole(provider.token, token.query === undefined)).toBe(written(token.url))
  // A request of the provider's own is seen when it makes it.
  if (userinfo?.custom !== true) expect(whole(provider.userinfo, true)).toBe(written(userinfo?.url))
  if (type === "oidc") expect(provider.wellKnown ?? wellKnown(provider.issuer)).toBe(discovery?.at)
}

function written(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).href
}

function whole({ url, params }: Pick<OAuthEndpoint, "url" | "params">, withQuery: boolean): string | undefined {
  if (url === undefined) return undefined
  const address = new URL(url)
  if (withQuery) for (const [name, value] of Object.entries(params)) address.searchParams.set(name, value)
  else address.search = ""
  return address.href
}

/** What the engine would send by itself may also be written down. */
function withoutProtocol({ authorization, clientId }: OAuthProvider): Fields {
  const usual: Fields = { client_id: clientId, response_type: "code" }
  return Object.fromEntries(Object.entries(authorization.params).filter(([name, value]) => usual[name] !== value))
}

function wellKnown(issuer: string | undefined): string {
  return `${issuer?.replace(/\/$/, "")}/.well-known/openid-configuration`
}
