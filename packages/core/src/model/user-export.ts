import type { JsonObject, JsonValue } from "./user.js"

/**
 * Everything that is stored about a user, as JSON without secrets: fields whose names say that they hold a token, a secret, a
 * password, a hash or a salt are left out. Times are in ISO 8601.
 */
export interface UserExport {
  /** All columns. `null`: the database has no such user. */
  readonly user: JsonObject | null
  /** Accounts at providers, without tokens. Missing: the adapter can't list them. */
  readonly accounts?: readonly JsonObject[]
  /** Stored sessions, without what is in the cookie. Missing: the adapter can't list them. */
  readonly sessions?: readonly JsonObject[]
  /** Passkeys, with their public keys. Missing: the adapter can't list them. */
  readonly authenticators?: readonly JsonObject[]
  /** When and why `disable` was called. `null`: the user isn't disabled. */
  readonly disabled: { readonly since: string; readonly reason?: string } | null
  /** Sign-ins that wait for a second factor, at most 100. */
  readonly pendingSignIns: readonly { readonly expiresAt: string }[]
  /** What `tokens: vault` keeps of the accounts, without tokens. */
  readonly tokens: readonly VaultExport[]
  /** What each module keeps, by its id. The documentation of the module has the shape. */
  readonly modules: Readonly<Record<string, JsonValue>>
}

/** What is kept beside the tokens of an account. */
export interface VaultExport {
  readonly provider: string
  /** The id of the account at the provider. */
  readonly account: string
  readonly scopes: readonly string[]
  readonly connectedAt?: string
  /** Of the access token. @default it doesn't expire, or isn't kept anymore */
  readonly expiresAt?: string
  /** The account isn't connected anymore, and its token has yet to be revoked at the provider. */
  readonly isRevoked?: true
}
