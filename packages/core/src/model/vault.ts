import type { TokenOptions, TokenProblem, TokenRequest, TokenResult, TokenUser } from "./provider-token.js"
import type { Identity } from "./session-strategy.js"
import type { ResolvedProvider } from "./signin.js"
import type { TokenSet } from "./user.js"

/** What a method does with tokens after the sign-in. */
export interface Grants<A> {
  /** Whether a URL may get access tokens: its host is one of `hosts`, of the provider's own, or of its userinfo endpoint. */
  allows(auth: A, provider: ResolvedProvider, url: URL, hosts: readonly string[]): Promise<boolean>
  /** The scopes of a token whose response names none (RFC 6749 §5.1). */
  scopes(provider: ResolvedProvider): string | undefined
  /** RFC 6749 §6. Never throws. */
  refresh(auth: A, provider: ResolvedProvider, refreshToken: string): Promise<Refreshed>
  /** RFC 7009. `false`: the provider has no endpoint for it. @throws if it has to be tried again */
  revoke(auth: A, provider: ResolvedProvider, token: RevocableToken): Promise<boolean>
  /** A request with the access token. Redirects are returned. */
  send(provider: ResolvedProvider, url: URL, init: RequestInit): Promise<Response>
}

export interface RevocableToken {
  readonly value: string
  readonly kind: "access_token" | "refresh_token"
}

export type Refreshed =
  | { readonly kind: "tokens"; readonly tokens: TokenSet }
  /** The refresh token doesn't work anymore. */
  | { readonly kind: "refused" }
  /** `retryAfter` is in seconds, as the provider says it. */
  | { readonly kind: "unavailable"; readonly retryAfter: number | undefined; readonly error: Error }

/** Keeps the tokens of providers, and renews them. */
export interface Vault<A> {
  /** Stores what a sign-in brought. Never throws. */
  keep(auth: A, identity: Identity): Promise<void>
  token(auth: A, owner: TokenUser, provider: string, options?: TokenOptions): Promise<TokenResult>
  fetch(auth: A, owner: TokenUser, request: ProviderRequest): Promise<Response | TokenProblem>
  /** Prepares to forget what is kept of a user, or of one account. The result does so, and revokes the tokens at the provider. */
  forget(auth: A, userId: string, account?: KeptAccount): Promise<() => Promise<void>>
  /** Seals everything with the newest secret. */
  reseal(auth: A, options?: { readonly check?: boolean }): Promise<{ outdated: number; unreadable: number }>
}

export interface ProviderRequest {
  readonly provider: string
  readonly url: string | URL
  readonly init: TokenRequest
}

export interface KeptAccount {
  readonly provider: string
  readonly providerAccountId: string | number
}

/** `vault` of `@latchkey/core/tokens`. */
export interface TokenVault {
  /** Loads the code, at the first use. */
  readonly load: () => Promise<unknown>
}
