import type { EventFunctions, StepUp } from "@latchkey/core/integration"
import type { Context, MiddlewareHandler } from "hono"

/** Middleware for a route, or what makes one for a recent or a strong sign-in: `auth.requireSession({ maxAge: "5m", level: 2 })`. */
export interface SessionMiddleware<S> extends MiddlewareHandler<{ Variables: { session: S } }> {
  (asked: StepUp): MiddlewareHandler<{ Variables: { session: S } }>
}

/** What `createAuth()` returns. */
export interface Auth<S, Id extends string = string> extends EventFunctions<Context, S, Id> {
  /**
   * Middleware that handles the auth routes below `basePath`, the path of `AUTH_URL`, or `/auth`, and adds cookies to all other
   * responses. Use it on the app, before its routes.
   */
  readonly routes: MiddlewareHandler
  /** Middleware that sets `c.var.session` to the session, or `null`. */
  readonly session: MiddlewareHandler<{ Variables: { session: S | null } }>
  /**
   * Middleware for protected routes. It sets `c.var.session`, redirects pages to the sign-in page, and answers 401 to an API. Called with
   * `maxAge` or `level`, it asks a user again whose sign-in isn't recent or strong enough.
   */
  readonly requireSession: SessionMiddleware<S>
  /** Middleware that protects every route after it, except for the auth routes and the pages in `pages`. */
  readonly protect: MiddlewareHandler
}
