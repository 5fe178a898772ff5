/** Attributes of one cookie (RFC 6265bis §4.1). */
export interface CookieOptions {
  /** @default `encodeURIComponent` */
  readonly encode?: ((value: string) => string) | undefined
  /** Lifetime in seconds. */
  readonly maxAge?: number | undefined
  readonly expires?: Date | undefined
  readonly domain?: string | undefined
  readonly path?: string | undefined
  readonly httpOnly?: boolean | undefined
  readonly secure?: boolean | undefined
  readonly partitioned?: boolean | undefined
  readonly priority?: "low" | "medium" | "high" | undefined
  readonly sameSite?: true | false | "lax" | "strict" | "none" | undefined
}

/** A cookie to set. */
export interface SetCookie {
  readonly name: string
  readonly value: string
  readonly options: CookieOptions
}

/** Replaces the name or single attributes of a cookie. */
export interface CookieOption {
  readonly name?: string | undefined
  readonly options?: CookieOptions | undefined
}

export type CookieKey =
  | "sessionToken"
  | "callbackUrl"
  | "csrfToken"
  | "pkceCodeVerifier"
  | "state"
  | "nonce"
  | "webauthnChallenge"
  | "device"
  | "attempt"
  | "lastUsed"
  | "signInTime"
  | "pendingSignIn"

export type CookiesOptions = Readonly<Partial<Record<CookieKey, CookieOption>>>

/** Name and attributes of a cookie that the engine sets. */
export interface Cookie {
  readonly name: string
  readonly options: CookieOptions
}
