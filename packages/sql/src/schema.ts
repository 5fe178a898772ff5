import type { AdapterAccountType } from "@latchkey/core/adapters"

/** How a value that has no type of its own in every database is kept: see `codec.ts`. */
export type Stored = string | number | boolean | object

export interface UserRow {
  id: string
  /** NULL for a user whose provider told none, whatever the contract's type says. */
  email: string
  email_verified: Stored | null
  name: string | null
  image: string | null
  /** What `profile()` adds to the columns, as JSON. */
  extra: Stored
}

export interface AccountRow {
  provider: string
  provider_account_id: string
  user_id: string
  type: AdapterAccountType
  /** The tokens, and whatever else `account()` adds. */
  extra: Stored
}

export interface SessionRow {
  session_token: string
  user_id: string
  expires: Stored
  extra: Stored
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
}

/** How much was taken of one limit. */
export interface RateLimitRow {
  key: string
  points: number
  /** 1: the last take was refused. */
  refused: number
  /** Milliseconds since 1970; PostgreSQL tells it as text. */
  resets: number | string
}

/** One row a migration that has run. */
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

// Columns are always asked for by name: `select *`, once prepared, fails when a migration adds a column.

export const userColumns = [
  "users.id",
  "users.email",
  "users.email_verified",
  "users.name",
  "users.image",
  "users.extra",
] as const

export const accountColumns = ["provider", "provider_account_id", "user_id", "type", "extra"] as const

export const sessionColumns = ["session_token", "user_id", "expires", "extra"] as const

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
] as const
