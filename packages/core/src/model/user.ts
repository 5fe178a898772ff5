export type { Awaitable } from "../primitives/awaitable.js"

export type ProviderType = "oidc" | "oauth" | "email" | "credentials" | "webauthn"

export type JsonPrimitive = string | number | boolean | null
export type JsonArray = JsonValue[]
export type JsonObject = { [key: string]: JsonValue | undefined }
export type JsonValue = JsonPrimitive | JsonArray | JsonObject

/** Fields that every application has. Add fields by augmenting {@link User}. */
export interface DefaultUser {
  id?: string
  name?: string | null
  email?: string | null
  image?: string | null
}

/** A user as `profile()`, `authorize()` or the adapter returned it. Add fields by augmenting this interface. */
export interface User extends DefaultUser {}

/** RFC 9396 §2. */
export interface AuthorizationDetails {
  readonly type: string
  readonly [parameter: string]: JsonValue | undefined
}

/** The response of a token endpoint (RFC 6749 §5.1). */
export interface TokenEndpointResponse {
  readonly access_token: string
  readonly expires_in?: number
  readonly id_token?: string
  readonly refresh_token?: string
  readonly scope?: string
  readonly authorization_details?: AuthorizationDetails[]
  readonly token_type: Lowercase<string>
  readonly [parameter: string]: JsonValue | undefined
}

/** A token response. `expires_at` is when the access token expires, in seconds since 1970. */
export type TokenSet = Partial<TokenEndpointResponse> & { expires_at?: number }

/** An account of a user at one provider. Add fields by augmenting this interface. */
export interface Account extends Partial<TokenEndpointResponse> {
  provider: string
  /** The user's id at the provider. For an email provider, the email. */
  providerAccountId: string
  type: ProviderType
  userId?: string
  /** When the access token expires, in seconds since 1970. */
  expires_at?: number
}

/** The profile as the provider sent it, usually with the standard claims (OpenID Connect Core §5.1). */
export interface Profile {
  id?: string | null
  sub?: string | null
  name?: string | null
  given_name?: string | null
  family_name?: string | null
  middle_name?: string | null
  nickname?: string | null
  preferred_username?: string | null
  profile?: string | null
  /** Usually a URL. Some providers send an object, so TypeScript checks neither use. */
  picture?: ReturnType<typeof JSON.parse>
  website?: string | null
  email?: string | null
  email_verified?: boolean | null
  gender?: string | null
  birthdate?: string | null
  zoneinfo?: string | null
  locale?: string | null
  phone_number?: string | null
  updated_at?: Date | string | number | null
  address?: {
    formatted?: string | null
    street_address?: string | null
    locality?: string | null
    region?: string | null
    postal_code?: string | null
    country?: string | null
  } | null
  [claim: string]: unknown
}
