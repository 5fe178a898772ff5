import type { CurrentFunctions, Env, SignIn, SignOut, UserFunctions } from "@latchkey/core/integration"
import type { Session, StepUp } from "@latchkey/core/types"
import type { RequestServerFn } from "@tanstack/react-start"

export interface TanStackStartAuthOptions {
  /** Returns the environment variables. @default `process.env` */
  readonly env?: (request: Request) => Env
}

export interface RequireSessionOptions extends StepUp {
  /** Path and query of the page to return to: in `beforeLoad`, `location.publicHref`. @default the current page */
  readonly callbackUrl?: string | undefined
}

/** All functions belong to the current request: call them in server functions, server routes and middleware. */
export interface StartAuth<S = Session, Id extends string = string>
  extends CurrentFunctions<S, Id, never>,
    UserFunctions<Request> {
  /**
   * Answers the auth routes, and puts the session into the context. In `src/start.ts`, pass it to
   * `createMiddleware().server()`, and list the result in `requestMiddleware`.
   */
  readonly middleware: RequestServerFn<{}, undefined, { session: S | null }>
  /** Answers a request for an auth route, if you prefer a server route to the middleware. */
  handler(request: Request): Promise<Response>
  /** The same. @deprecated Use `getSession`, the name in all packages */
  session(): Promise<S | null>
  /**
   * Returns the session. With `maxAge` or `level`, a user whose sign-in isn't recent or strong enough is asked again.
   *
   * @throws Response without a session: pages and server functions redirect to the sign-in page, API routes respond with 401
   */
  requireSession(options?: RequireSessionOptions): Promise<S>
  /**
   * Starts a sign-in, or ends one with a password.
   *
   * @throws Response a redirect, unless `redirect` is `false`. If the sign-in is refused, it leads to the sign-in page, with
   *   `error` in the query
   */
  readonly signIn: SignIn<never, Id, never>
  /**
   * Ends the session.
   *
   * @throws Response a redirect, unless `redirect` is `false`
   */
  readonly signOut: SignOut<never, never>
}
