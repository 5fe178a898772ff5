/** What the cookie keeps for the code that was sent with a link. */
export interface CodeTicket {
  readonly provider: string
  readonly identifier: string
  /** The stored token of the link. Link and code share it, so only the first one works. */
  readonly stored: string
  readonly code: string
  /** Milliseconds since 1970. */
  readonly ends: number
  readonly callbackUrl: string | undefined
}

/** The row of a link in the database, as it was stored. */
export interface StoredRow {
  readonly identifier: string
  /** A hash. */
  readonly token: string
  /** Milliseconds since 1970. */
  readonly expires: number
}

/** A link that this browser requested. */
export interface AskedLink {
  /** The name of its cookie. */
  readonly cookie: string
  /** SHA-256 of the token. */
  readonly token: string
  /** How the token is stored. `undefined`: the configured secrets tell. */
  readonly stored: string | undefined
  /** Seconds since 1970. */
  readonly asked: number
  readonly ticket: CodeTicket | undefined
  /** For links with a code or a short token, whose tries are counted there. */
  readonly row: StoredRow | undefined
  /** The token itself is short, so a guess may be meant for it. */
  readonly isShort: boolean
}
