import type { User } from "./user.js"

export interface DefaultSession {
  user?: User
  /** When the session ends unless it is used, as an ISO 8601 date and time. */
  expires: string
}

/** The session that the server and the browser see. Add fields by augmenting this interface. */
export interface Session extends DefaultSession {}

/** Data for `update`. */
export type SessionUpdate = Partial<Session> & Readonly<Record<string, unknown>>

/**
 * The data of an update as callbacks get it. The client can send anything, whatever these types say, so check each value
 * before you put it into the token.
 */
export type ReceivedUpdate = Omit<Partial<Session>, "user"> & Partial<JWT> & { user: NonNullable<Session["user"]> }

export interface DefaultJWT extends Record<string, unknown> {
  name?: string | null
  email?: string | null
  picture?: string | null
  /** The user's id. Without an adapter it's new at every sign-in. */
  sub?: string
  /** When the token was issued, in seconds since 1970. */
  iat?: number
  /** When the token expires, in seconds since 1970. */
  exp?: number
  jti?: string
}

/** The claims inside the session cookie. Add fields by augmenting `@latchkey/core/jwt`. */
export interface JWT extends DefaultJWT {}
