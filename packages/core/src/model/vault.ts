import type { TokenOptions, TokenProblem, TokenRequest, TokenResult, TokenUser } from "./provider-token.js"
import type { VaultExport } from "./user-export.js"
import type { Identity } from "./session-strategy.js"

/** Keeps the tokens of providers, and renews them. */
export interface Vault<A> {
  /** Stores what a sign-in brought. Never throws. */
  keep(auth: A, identity: Identity): Promise<void>
  token(auth: A, owner: TokenUser, provider: string, options?: TokenOptions): Promise<TokenResult>
  fetch(auth: A, owner: TokenUser, request: ProviderRequest): Promise<Response | TokenProblem>
  /**
   * Prepares to forget what is kept of a user, or of one account unless it was granted with the scope `unless`. The result does so, and
   * revokes the tokens at the provider. With `true`, it forgets nothing.
   */
  forget(
    auth: A,
    userId: string,
    account?: KeptAccount & { readonly unless?: string },
  ): Promise<(stays?: boolean) => Promise<void>>
  /** What is kept of a user, without tokens. */
  export(auth: A, userId: string): Promise<readonly VaultExport[]>
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
