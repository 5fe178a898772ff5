import type { AdapterAccountType } from "@latchkey/core/adapters"

/** A value whose type depends on the database; see `codec.ts`. */
export type Stored = string | number | boolean | object

export interface UserRow {
  id: string
  /** NULL if the provider returned no email, although the type of the contract doesn't allow it. */
  email: string
  email_verified: Stored | null
  name: string | null
  image: string | null
  /** Additional fields of `profile()`, as JSON. */
  extra: Stored
}

export interface AccountRow {
  provider: string
  provider_account_id: string
  user_id: string
  type: AdapterAccountType
  /** The tokens and additional fields of `account()`, as JSON. */
  extra: Stored
}

export interface SessionRow {
  session_token: string
  user_id: string
  expires: Stored
  extra: Stored
  /** As JSON: when the user signed in, when the session was used, and in which browser. */
  details: Stored | null
}

export interface VerificationTokenRow {
  identifier: string
  token: string
  expires: Stored
}

export interface AuthenticatorRow {
  credential_id: string
  user_id: string
  provider_account_id: string
  credential_public_key: string
  counter: Stored
  credential_device_type: string
  credential_backed_up: Stored
  transports: string | null
  /** As JSON: the name that the user gave it, and when it was created and used. */
  details: Stored | null
}

/** The count of one rate limit. */
export interface RateLimitRow {
  key: string
  points: number
  /** 1 if the last attempt was rejected, else 0. */
  refused: number
  /** End of the window in milliseconds since 1970. PostgreSQL returns a string. */
  resets: number | string
}

/** A migration that has run. */
export interface MigrationRow {
  name: string
}

export interface Schema {
  users: UserRow
  accounts: AccountRow
  sessions: SessionRow
  verification_tokens: VerificationTokenRow
  authenticators: AuthenticatorRow
  rate_limits: RateLimitRow
  latchkey_migrations: MigrationRow
}

// Queries name their columns, because a prepared `select *` fails after a migration has added a column.

export const userColumns = [
  "users.id",
  "users.email",
  "users.email_verified",
  "users.name",
  "users.image",
  "users.extra",
] as const

export const accountColumns = ["provider", "provider_account_id", "user_id", "type", "extra"] as const

export const sessionColumns = ["session_token", "user_id", "expires", "extra", "details"] as const

export const verificationTokenColumns = ["identifier", "token", "expires"] as const

export const authenticatorColumns = [
  "credential_id",
  "user_id",
  "provider_account_id",
  "credential_public_key",
  "counter",
  "credential_device_type",
  "credential_backed_up",
  "transports",
  "details",
] as const
