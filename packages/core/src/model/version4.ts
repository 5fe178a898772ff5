import type { Cookie, CookieOption } from "./cookie.js"

/** How sessions of next-auth 4 are accepted. */
export interface Version4Options {
  /**
   * Sessions of version 4 are accepted until then: a date, or text such as `"2027-03-01"`. Required under
   * `security: "strict"`. @default no end
   */
  readonly acceptUntil?: Date | string | undefined
  /**
   * Name and attributes of the session cookie of version 4, if its configuration changed them. With `share`, the default of
   * the name is that of `cookies.sessionToken`.
   */
  readonly cookie?: CookieOption | undefined
  /**
   * Keeps every session in the cookie of version 4 and in its format, so that both versions can serve the same users. Set
   * it while both run or while you may roll back, then remove it. Not allowed under `security: "strict"`. @default false
   */
  readonly share?: boolean | undefined
}

/** The cookies of next-auth 4 for http or https. */
export interface Version4 {
  readonly sessionToken: Cookie
  /** Every form that the session cookie may have in the browser. Removing a cookie takes its exact domain. */
  readonly toClear: readonly Cookie[]
  /** Cookies whose content has the same format in both versions, under the names of version 4. */
  readonly sameFormat: readonly { readonly key: "callbackUrl" | "csrfToken"; readonly cookie: Cookie }[]
  /** Secrets of session and flow cookies, newest first. */
  readonly secrets: readonly string[]
  /** The session cookie has a configured name, which version 4 may have used too. */
  readonly sharesName: boolean
  readonly isShared: boolean
  /** Milliseconds since 1970. */
  readonly until: number
}
