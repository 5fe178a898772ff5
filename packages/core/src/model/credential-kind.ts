import type { AdapterUser } from "./adapter.js"

/** The user whose credentials end. */
export interface Revoked {
  /** As text. */
  readonly userId: string
  /** `null`: the database doesn't have the user, or there is none. */
  readonly user: AdapterUser | null
  readonly reason: string | undefined
}

/** A kind of credential that gives access to a user's account. */
export interface CredentialKind<A> {
  readonly name: string
  /** One of them can become a session, so they end before the sessions. @default false */
  readonly startsSessions?: boolean
  /** Ends every credential of this kind that the user has. */
  end(auth: A, revoked: Revoked): Promise<void>
}
