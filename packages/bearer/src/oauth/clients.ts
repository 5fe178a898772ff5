import type { Client } from "../options.js"
import type { Site } from "../site.js"
import { OAuthProblem } from "./problem.js"

export function findClient({ clients }: Site, id: string | undefined): Client | undefined {
  return clients.find((client) => client.id === id)
}

/** @throws OAuthProblem */
export function requireClient(site: Site, id: string | undefined): Client {
  const client = findClient(site, id)
  if (client === undefined) throw new OAuthProblem("invalid_client", "There is no such client")
  return client
}

/** An app listens at a port that the system gives it, so only the port may differ (RFC 8252 §7.3). */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::(\d{1,5}))?(\/[!-~]*)?$/

/** Whether the browser may return here. Compared as text: what a parser makes of a URL can differ (RFC 9700 §4.1). */
export function isRedirectUri({ redirectUris }: Client, uri: string): boolean {
  if (redirectUris.includes(uri)) return true
  const [, host, port, path = ""] = loopback.exec(uri) ?? []
  return host !== undefined && port !== undefined && Number(port) < 65_536 && redirectUris.includes(host + path)
}

/** Why a client can't have a redirect URI. `undefined`: it can. */
export function redirectUriProblem(uri: string): string | undefined {
  if (!/^[!-~]+$/.test(uri) || !URL.canParse(uri) || /[#\\*]/.test(uri)) return "is no URL without a fragment"
  const { protocol, username, password } = new URL(uri)
  if (username !== "" || password !== "") return "has credentials"
  if (protocol === "https:") return undefined
  if (protocol === "http:") return loopback.test(uri) ? undefined : "isn't https, or http://127.0.0.1 or http://[::1]"
  // RFC 8252 §7.1: a domain that the app's maker owns, in reverse, so that two apps don't meet.
  return /^[a-z][a-z0-9+-]*(?:\.[a-z0-9+-]+)+:$/.test(protocol)
    ? undefined
    : "has a scheme without a domain, such as com.example.app"
}

/** The scopes of a request, which this client may ask for. @throws OAuthProblem */
export function scopesIn(site: Site, client: Client, asked: string | undefined): readonly string[] {
  const scopes = [...new Set((asked ?? "").split(" "))].filter((scope) => scope !== "")
  const allowed = [...(client.scopes ?? site.scopes), offline]
  if (!scopes.every((scope) => allowed.includes(scope)))
    throw new OAuthProblem("invalid_scope", "The client may not ask for one of the scopes")
  return scopes
}

/** The app stays signed in when the user signs out in the browser (OpenID Connect Core §11). */
export const offline = "offline_access"

/** The API that a token is for (RFC 8707). @throws OAuthProblem */
export function audienceIn({ audiences }: Site, asked: string | undefined): string {
  const audience = asked ?? (audiences.length === 1 ? audiences[0] : undefined)
  if (audience === undefined || !audiences.includes(audience))
    throw new OAuthProblem("invalid_target", "`resource` isn't one of the APIs, or is missing")
  return audience
}

/** A token request may repeat what the grant is for (RFC 8707 §2.2). @throws OAuthProblem */
export function assertTarget({ audience }: { readonly audience: string }, asked: string | undefined): void {
  if (asked !== undefined && asked !== audience)
    throw new OAuthProblem("invalid_target", "The grant is for another API")
}
