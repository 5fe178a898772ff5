import type { Env, EventFunctions } from "@latchkey/core/integration"
import type { Session, StepUp } from "@latchkey/core/types"
import type { MiddlewareFunction, RouterContext, RouterContextProvider } from "react-router"

/** Arguments of a loader, an action or a middleware. */
export interface AuthArgs {
  readonly context: Readonly<RouterContextProvider>
}

/** Arguments of a loader, an action or a middleware, with the request. */
export interface RouteArgs extends AuthArgs {
  readonly request: Request
}

export interface ReactRouterAuthOptions {
  /** Returns the environment variables. @default `process.env` */
  readonly env?: (args: RouteArgs) => Env
  /** Returns the IP address of the connection, for rate limits. React Router doesn't know it, but your server does. */
  readonly clientAddress?: (args: RouteArgs) => string | undefined
}

export interface RouterAuth<S = Session, Id extends string = string> extends EventFunctions<AuthArgs, S, Id> {
  /** Put it first into `middleware` of `app/root.tsx`. It answers the auth routes, sets cookies and reads the session. */
  readonly middleware: MiddlewareFunction<Response>
  /** Lets only signed-in users through. Put it into `middleware` of a layout or page: the others get the sign-in page, or 401. */
  readonly protect: MiddlewareFunction<Response>
  /** Makes the auth routes known to React Router: export it from the module of `route("auth/*", …)`. */
  readonly loader: (args: RouteArgs) => Promise<Response>
  /** Like {@link RouterAuth.loader}, for forms. */
  readonly action: (args: RouteArgs) => Promise<Response>
  /** Where the middleware puts the session: `context.get(auth.sessionContext)`. */
  readonly sessionContext: RouterContext<S | null>
  /** The same. @deprecated Use `getSession`, the name in all packages */
  session(args: AuthArgs): Promise<S | null>
  /**
   * Returns the session. With `asked`, a user whose sign-in isn't recent or strong enough is asked again.
   *
   * @throws Response without a session: a redirect to the sign-in page for pages, and 401 for API routes
   */
  requireSession(args: AuthArgs, asked?: StepUp): Promise<S>
}
