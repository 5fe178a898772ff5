/** Attributes of one cookie (RFC 6265bis §4.1). */
export interface CookieOptions {
  readonly encode?: ((value: string) => string) | undefined
  /** Seconds. */
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

/** A cookie to be set. */
export interface SetCookie {
  readonly name: string
  readonly value: string
  readonly options: CookieOptions
}

/** What a developer may say of a cookie: another name, other attributes. */
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

export type CookiesOptions = Readonly<Partial<Record<CookieKey, CookieOption>>>

/** A cookie as it will be written: name and attributes decided. */
export interface Cookie {
  readonly name: string
  readonly options: CookieOptions
}
