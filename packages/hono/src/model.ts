import type { Revoke, SignIn, SignOut } from "@latchkey/core/integration"
import type { SessionUpdate, UserAccount } from "@latchkey/core/types"
import type { Context, MiddlewareHandler } from "hono"

/** What `createAuth()` returns. */
export interface Auth<S, Id extends string = string> {
  /**
   * Middleware that handles the auth routes below `basePath`, the path of `AUTH_URL`, or `/auth`, and adds cookies to all other
   * responses. Use it on the app, before its routes.
   */
  readonly routes: MiddlewareHandler
  /** Middleware that sets `c.var.session` to the session, or `null`. */
  readonly session: MiddlewareHandler<{ Variables: { session: S | null } }>
  /** Middleware for protected routes. It sets `c.var.session`, redirects pages to the sign-in page, and answers 401 to an API. */
  readonly requireSession: MiddlewareHandler<{ Variables: { session: S } }>
  /** Middleware that protects every route after it, except for the auth routes and the pages in `pages`. */
  readonly protect: MiddlewareHandler
  /** The session, or `null`. Several calls for one request read the session once. */
  getSession(c: Context): Promise<S | null>
  /** Signs in with a provider. A form of another site is refused. */
  readonly signIn: SignIn<Context, Id>
  readonly signOut: SignOut<Context>
  /** Passes `data` to the callbacks as an update, and returns the new session. `null`: no user is signed in. */
  update(c: Context, data: SessionUpdate): Promise<S | null>
  /**
   * The account of the user who sent the request: their passkeys, linked accounts, sessions and email. A change that another
   * site requests is refused.
   */
  account(c: Context): UserAccount
  /** Ends everything that gives access to the account of a user, such as their sessions: see {@link Revoke}. */
  readonly revoke: Revoke<Context>
  /** The token for forms of your own pages that post to the auth routes, as the field `csrfToken`. */
  csrfToken(c: Context): Promise<string>
}
