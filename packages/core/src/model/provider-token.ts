import type { Visitor } from "./http.js"

/** An access token of a provider that works now. */
export interface ProviderToken {
  /** There is none. */
  readonly problem?: undefined
  /** For the header `Authorization: Bearer`. Keep it on the server. */
  readonly accessToken: string
  /** When it expires. `undefined`: the provider doesn't say. */
  readonly expiresAt: Date | undefined
  /** What the user has granted. */
  readonly scopes: readonly string[]
  /** The user's id at the provider. */
  readonly account: string
}

/** Why there is no access token, and what to do. */
export type TokenProblem =
  /** No user is signed in. */
  | { readonly problem: "not-signed-in" }
  /** The user has no account at the provider. `url` is the page that connects one. */
  | { readonly problem: "not-connected"; readonly url: string }
  /** The access has ended, or lacks some of `scopes`. `url` is the page that asks the user for all of them. */
  | { readonly problem: "needs-consent"; readonly url: string; readonly scopes: readonly string[] }
  /** The provider doesn't answer, or has had too many requests. `retryAfter` is in seconds. */
  | { readonly problem: "unavailable"; readonly retryAfter: number }
  /** Nothing is stored. `message` names the line to add to the configuration. */
  | { readonly problem: "no-records"; readonly message: string }
  /** Only of `token.fetch`: the token is not for this host. `message` says how to allow it. */
  | { readonly problem: "host-not-allowed"; readonly message: string }

/** A token, or why there is none. `problem` tells them apart. */
export type TokenResult = ProviderToken | TokenProblem

/** Which token of the user. */
export interface TokenOptions {
  /** The user's id at the provider, if they have connected several accounts. @default the one that was connected last */
  readonly account?: string | undefined
  /** What the token has to allow. Without one of them, the user has to consent. @default anything */
  readonly scopes?: readonly string[] | undefined
}

/** What `fetch` takes, and which token to send. */
export interface TokenRequest extends TokenOptions, RequestInit {
  /** Hosts that may get the token, such as `"api.example.com"` or `"*.example.com"`, besides those of the provider. */
  readonly hosts?: readonly string[] | undefined
}

/** Whose token it is: the user with this id, or the one who is signed in. */
export type TokenUser = { readonly userId: string } | { readonly visitor: Visitor }

/** Access tokens of providers. It needs `tokens: vault` and records. */
export interface ServerToken {
  /** The access token, renewed if it's about to expire, or why there is none. */
  (provider: string, options: TokenUser & TokenOptions): Promise<TokenResult>
  /** Sends a request with the token. After a 401, the token is renewed and the request is sent again. Redirects are returned. */
  fetch(provider: string, url: string | URL, options: TokenUser & TokenRequest): Promise<Response | TokenProblem>
}
