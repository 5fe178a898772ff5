import type { AuthError } from "@latchkey/core/errors"
import type { Revoke, SignInOptions } from "@latchkey/core/integration"
import type { IdArgument, SessionUpdate, UserAccount } from "@latchkey/core/types"
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
  readonly signIn: SignIn<Id>
  readonly signOut: SignOut
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

export interface SignIn<Id extends string = string> {
  /** With `redirect: false`, the app responds itself. */
  <const P extends string = string>(
    c: Context,
    provider: IdArgument<Id, P> | undefined,
    options: SignInOptions & { readonly redirect: false },
    authorizationParams?: AuthorizationParams,
  ): Promise<Destination>
  /** A redirect (303). A refused sign-in leads to the page that shows the error. */
  <const P extends string = string>(
    c: Context,
    provider?: IdArgument<Id, P>,
    options?: SignInOptions,
    authorizationParams?: AuthorizationParams,
  ): Promise<Response>
}

export interface SignOut {
  /** With `redirect: false`, the app responds itself. */
  (c: Context, options: { readonly redirectTo?: string | undefined; readonly redirect: false }): Promise<Destination>
  /** A redirect (303). */
  (c: Context, options?: { readonly redirectTo?: string | undefined }): Promise<Response>
}

/** Parameters for the provider's authorization endpoint, such as `prompt`. */
export type AuthorizationParams = Readonly<Record<string, string>>

/** Where to send the user. */
export interface Destination {
  readonly to: string
  /** Why the sign-in was refused or couldn't start. `to` is the page that explains it to the user. */
  readonly error?: AuthError
}
