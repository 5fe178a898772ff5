import type { EndpointName } from "./messages.js"

/** The issuer without the slash it may end with, as addresses are built on it (OpenID Connect Discovery §4.1). */
function base(issuer: string): string {
  return issuer.replace(/\/$/, "")
}

/** Addresses of the provider. */
export function endpointsOf(issuer: string): {
  readonly discovery: string
  readonly authorization: string
  readonly token: string
  readonly userinfo: string
  readonly jwks: string
  readonly endSession: string
} {
  const root = base(issuer)
  return {
    discovery: `${root}/.well-known/openid-configuration`,
    authorization: `${root}/authorize`,
    token: `${root}/token`,
    userinfo: `${root}/userinfo`,
    jwks: `${root}/jwks`,
    endSession: `${root}/logout`,
  }
}

export function endpointAt(issuer: string, url: URL): EndpointName {
  const { discovery, token, userinfo, jwks } = endpointsOf(issuer)
  const address = `${url.origin}${url.pathname}`
  const known: Readonly<Record<string, EndpointName>> = {
    [discovery]: "discovery",
    [token]: "token",
    [userinfo]: "userinfo",
    [jwks]: "jwks",
  }
  return known[address] ?? "elsewhere"
}
