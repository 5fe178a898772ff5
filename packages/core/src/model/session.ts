import type { User } from "./user.js"

export interface DefaultSession {
  user?: User
  /** ISO 8601 instant at which the session ends unless it is used before. */
  expires: string
}

/** What the browser and the server see of a signed-in person. Augment to add fields. */
export interface Session extends DefaultSession {}

/** Data for a session update: what `update` takes. */
export type SessionUpdate = Partial<Session> & Readonly<Record<string, unknown>>

/**
 * The same data as callbacks get it: whatever the client sent, unchecked. The types are those of the session and of the
 * claims that it is meant for, and the client's word only: check what matters before it goes into the token.
 */
export type ReceivedUpdate = Omit<Partial<Session>, "user"> & Partial<JWT> & { user: NonNullable<Session["user"]> }

export interface DefaultJWT extends Record<string, unknown> {
  name?: string | null
  email?: string | null
  picture?: string | null
  /** The user's id. */
  sub?: string
  /** Issued at, seconds since 1970. */
  iat?: number
  /** Expires at, seconds since 1970. */
  exp?: number
  jti?: string
}

/** The claims inside the session cookie. Augment `@latchkey/core/jwt` to add fields. */
export interface JWT extends DefaultJWT {}
