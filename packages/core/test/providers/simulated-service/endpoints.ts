import type { Facts } from "../facts.js"

export interface Endpoints {
  readonly authorization: URL
  readonly token: URL
  readonly userinfo: URL | undefined
  readonly jwks: URL
}

/** The URLs from the facts, and invented ones for those that only the discovery document names. */
export function endpointsOf({ authorization, token, userinfo, discovery }: Facts): Endpoints {
  const base = discovery === undefined ? "https://nowhere.test" : new URL(discovery.issuer).origin
  const endpoint = (own: string | undefined, discovered: string | undefined, path: string) =>
    new URL(own ?? discovered ?? path, base)
  const hasUserinfo = userinfo?.url !== undefined || discovery !== undefined
  return {
    authorization: endpoint(authorization.url, discovery?.authorization, "/found/authorize"),
    token: endpoint(token.url, discovery?.token, "/found/token"),
    userinfo: hasUserinfo ? endpoint(userinfo?.url, discovery?.userinfo, "/found/userinfo") : undefined,
    jwks: endpoint(undefined, discovery?.jwks, "/found/keys"),
  }
}
