/** What another library stored about a user. */
export interface FormerUser {
  readonly id: string
  readonly email: string | undefined
  readonly emailVerified: Date | null
  readonly name: string | null
  readonly image: string | null
  /** Why the user stays behind. */
  readonly obstacle: string | undefined
  readonly accounts: readonly FormerAccount[]
  readonly hash: string | undefined
  /** The key of an authenticator app, in Base32. */
  readonly app: string | undefined
  readonly passkeys: readonly FormerPasskey[]
  readonly sessions: readonly FormerSession[]
}

export interface FormerAccount {
  /** As the other library names it. */
  readonly provider: string
  readonly providerAccountId: string
}

export interface FormerPasskey {
  /** Base64. */
  readonly credentialID: string
  /** Base64. */
  readonly publicKey: string
  readonly counter: number
  readonly deviceType: string
  readonly isBackedUp: boolean
  readonly transports: string | null
  readonly name: string | null
  readonly createdAt: Date | undefined
}

export interface FormerSession {
  /** The value of the cookie. */
  readonly token: string
  readonly expires: Date
}

export interface Former {
  readonly users: readonly FormerUser[]
  /** What isn't moved for any user, and what to do. */
  readonly notes: readonly string[]
}
