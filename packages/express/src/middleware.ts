import type { AuthError } from "@latchkey/core/errors"
import type { SignInOptions, Token, UserFunctions } from "@latchkey/core/integration"
import type { IdArgument, SessionUpdate, StepUp, UserAccount } from "@latchkey/core/types"
import type { ServerResponse } from "node:http"
import type { ExpressRequest } from "./request.js"

type Next = (error?: unknown) => void

/** A middleware for Express 4 and 5. */
export type ExpressAuthMiddleware = (req: ExpressRequest, res: ServerResponse, next: Next) => Promise<void>

/** A middleware that sets `res.locals.session`. */
export interface SessionMiddleware<S> {
  (req: ExpressRequest, res: ResponseWith<S>, next: Next): Promise<void>
}

/** Middleware for a route, or what makes one for a recent or a strong sign-in: `auth.requireSession({ maxAge: "5m", level: 2 })`. */
export interface RequireSession<S> extends SessionMiddleware<S> {
  (asked: StepUp): SessionMiddleware<S>
}

/** A response of Express with the session in its `locals`. */
export interface ResponseWith<S> extends ServerResponse {
  // Express declares `locals` without `readonly`.
  locals: { session: S }
}

export interface ExpressSignInOptions extends SignInOptions {
  /** `false`: the app responds itself. @default true */
  readonly redirect?: boolean
}

/** Where to send the user. */
export interface Destination {
  readonly to: string
  /** Why the sign-in was refused or couldn't start. `to` is the page that explains it to the user. */
  readonly error?: AuthError
}

/** What `createAuth()` returns. */
export interface Auth<S, Id extends string = string> extends UserFunctions {
  /**
   * Middleware that handles the auth routes below `basePath`, the path of `AUTH_URL`, or `/auth`. Use it without a mount path.
   */
  readonly routes: ExpressAuthMiddleware
  /** Middleware that sets `res.locals.session` to the session, or `null`. */
  readonly session: SessionMiddleware<S | null>
  /**
   * Middleware for protected routes. It sets `res.locals.session`, redirects pages to the sign-in page, and answers 401 to an API. Called
   * with `maxAge` or `level`, it asks a user again whose sign-in isn't recent or strong enough.
   */
  readonly requireSession: RequireSession<S>
  /** Middleware that protects every route after it, except for the auth routes and the pages in `pages`. */
  readonly protect: ExpressAuthMiddleware
  /** The session, or `null`. With `res`, the session cookie is renewed if it's due. Several calls read the session once. */
  getSession(req: ExpressRequest, res?: ServerResponse): Promise<S | null>
  /**
   * Signs in with `provider`, and redirects (303). A form of another site is refused. A refused sign-in leads to the page that
   * shows the error, which the result has too.
   */
  signIn<const P extends string = string>(
    req: ExpressRequest,
    res: ServerResponse,
    provider?: IdArgument<Id, P>,
    options?: ExpressSignInOptions,
    authorizationParams?: Readonly<Record<string, string>>,
  ): Promise<Destination>
  /** Ends the session, and redirects (303). */
  signOut(
    req: ExpressRequest,
    res: ServerResponse,
    options?: { readonly redirectTo?: string | undefined; readonly redirect?: boolean },
  ): Promise<Destination>
  /**
   * Passes `data` to the callbacks as an update, and returns the new session. `null`: no user is signed in, another site sent the
   * form, or the update failed, which the log says.
   */
  update(req: ExpressRequest, res: ServerResponse, data: SessionUpdate): Promise<S | null>
  /**
   * The account of the user who sent the request: their passkeys, linked accounts, sessions and email. A change that another
   * site requests is refused. With Express 4, catch what its functions throw.
   */
  account(req: ExpressRequest, res: ServerResponse): UserAccount
  /** Access tokens of providers, for the user who sent the request: see {@link Token}. */
  readonly token: Token<[req: ExpressRequest, res: ServerResponse]>
  /** The token for forms of your own pages that post to the auth routes, as the field `csrfToken`. */
  csrfToken(req: ExpressRequest, res: ServerResponse): Promise<string>
}
