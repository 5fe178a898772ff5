import type { Facts } from "../facts.js"

/** Where a service answers. */
export interface Places {
  readonly authorization: URL
  readonly token: URL
  readonly userinfo: URL | undefined
  readonly jwks: URL
}

/** The addresses of the facts, and made-up ones for what is left to discovery. */
export function placesOf({ authorization, token, userinfo, discovery }: Facts): Places {
  const host = discovery === undefined ? "https://nowhere.test" : new URL(discovery.issuer).origin
  const place = (own: string | undefined, found: string | undefined, path: string) =>
    new URL(own ?? found ?? path, host)
  const hasUserinfo = userinfo?.url !== undefined || discovery !== undefined
  return {
    authorization: place(authorization.url, discovery?.authorization, "/found/authorize"),
    token: place(token.url, discovery?.token, "/found/token"),
    userinfo: hasUserinfo ? place(userinfo?.url, discovery?.userinfo, "/found/userinfo") : undefined,
    jwks: place(undefined, discovery?.jwks, "/found/keys"),
  }
}
