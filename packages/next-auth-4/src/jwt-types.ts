import type { Awaitable } from "./model.js"

export interface DefaultJWT extends Record<string, unknown> {
  name?: string | null
  email?: string | null
  picture?: string | null
  sub?: string
}

/** The claims in the session cookie. Add fields by augmenting this interface. */
export interface JWT extends Record<string, unknown>, DefaultJWT {}

export interface JWTEncodeParams {
  token?: JWT
  /** Empty for session tokens, else the name of the cookie. */
  salt?: string
  secret: string | Buffer
  /** Seconds until the token expires. @default 2592000 (30 days) */
  maxAge?: number
}

export interface JWTDecodeParams {
  token?: string
  /** Empty for session tokens, else the name of the cookie. */
  salt?: string
  secret: string | Buffer
}

export interface JWTOptions {
  /** @deprecated use `secret` of the configuration */
  secret: string
  /** Seconds until the token expires. @default 2592000 (30 days) */
  maxAge: number
  encode: (params: JWTEncodeParams) => Awaitable<string>
  decode: (params: JWTDecodeParams) => Awaitable<JWT | null>
}

export type Secret = string | Buffer
