import type { EndpointName } from "./messages.js"

export function endpointsOf(issuer: string): {
  readonly discovery: string
  readonly authorization: string
  readonly token: string
  readonly userinfo: string
  readonly jwks: string
  readonly endSession: string
} {
  // OpenID Connect Discovery §4.1: a trailing slash of the issuer is removed before a path is appended.
  const root = issuer.replace(/\/$/, "")
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
  const known: Readonly<Record<string, EndpointName>> = {
    [discovery]: "discovery",
    [token]: "token",
    [userinfo]: "userinfo",
    [jwks]: "jwks",
  }
  return known[`${url.origin}${url.pathname}`] ?? "elsewhere"
}
