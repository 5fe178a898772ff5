import { expect } from "vitest"
import type { OAuthEndpoint, OAuthProvider } from "../../src/model/oauth-provider.js"
import type { Facts, Fields } from "./facts.js"

/** The URLs and parameters of a provider are those of the facts. */
export function expectEndpoints(
  provider: OAuthProvider,
  { authorization, token, userinfo, discovery, type }: Facts,
): void {
  expect(urlOf(provider.authorization, false)).toBe(normalized(authorization.url))
  expect(ownParams(provider)).toEqual(authorization.params ?? {})
  // A query may be part of the URL or of the parameters.
  expect(urlOf(provider.token, token.query === undefined)).toBe(normalized(token.url))
  // A custom request shows its URL only when it's sent.
  if (userinfo?.custom !== true) expect(urlOf(provider.userinfo, true)).toBe(normalized(userinfo?.url))
  if (type === "oidc") expect(provider.wellKnown ?? wellKnown(provider.issuer)).toBe(discovery?.at)
}

function normalized(url: string | undefined): string | undefined {
  return url === undefined ? undefined : new URL(url).href
}

function urlOf({ url, params }: Pick<OAuthEndpoint, "url" | "params">, withQuery: boolean): string | undefined {
  if (url === undefined) return undefined
  const whole = new URL(url)
  if (withQuery) for (const [name, value] of Object.entries(params)) whole.searchParams.set(name, value)
  else whole.search = ""
  return whole.href
}

/** The parameters without those that the engine sends anyway. */
function ownParams({ authorization, clientId }: OAuthProvider): Fields {
  const usual: Fields = { client_id: clientId, response_type: "code" }
  const all = { ...Object.fromEntries(authorization.url?.searchParams ?? []), ...authorization.params }
  return Object.fromEntries(Object.entries(all).filter(([name, value]) => usual[name] !== value))
}

function wellKnown(issuer: string | undefined): string {
  return `${issuer?.replace(/\/$/, "")}/.well-known/openid-configuration`
}
