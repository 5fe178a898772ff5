import type { Token, UserFunctions } from "@latchkey/core/integration"
import type { Awaitable, IdArgument, Session, SignOutScope, StepUp, UserAccount } from "@latchkey/core/types"
import type { GetServerSidePropsContext } from "next"
import type { NextFetchEvent, NextRequest } from "next/server.js"
import type { AuthorizationParams } from "./config.js"
import type { NextAuthRequest } from "./wrapped-handler.js"

/** The second argument of a Route Handler. In Next.js 14, `params` is an object instead of a promise. */
export interface RouteContext {
  readonly params: Promise<Record<string, string | string[] | undefined>>
}

declare const untyped: unique symbol

/** The second argument of a Route Handler that doesn't declare its type. Its params aren't checked, as in next-auth. */
export interface UntypedRouteContext {
  readonly params: Promise<ReturnType<typeof JSON.parse>>
  /** Only for TypeScript: distinguishes this type from one that a handler declares. */
  readonly [untyped]?: never
}

type HandlerResult = Response | undefined | null | void

/** A function wrapped by `auth`: export it as a proxy, middleware, Route Handler or Edge API Route. */
export interface GuardedFunction<C = RouteContext> {
  /** A proxy, middleware or Edge API Route. */
  (request: NextRequest, event?: NextFetchEvent): Promise<Response>
  // Last on purpose: Next.js 15 type-checks route exports against the last overload only.
  /** A Route Handler. */
  (request: NextRequest, context: C): Promise<Response>
}

/** What `requireSession` and `auth` ask for, and where the user goes afterwards. */
export interface RequireSessionOptions extends StepUp {
  /** The URL to return to. @default the current page, on Node.js */
  readonly redirectTo?: string
}

/** Returns the current session. It works everywhere in Next.js; the arguments say where you call it. */
export interface AuthFunction<S = Session> {
  /**
   * Wraps a proxy, middleware, Route Handler or Edge API Route. `handler` gets the request with the session as
   * `request.auth`. It isn't called if the `authorized` callback returns a response. If it returns nothing, the request
   * continues.
   */
  <C = UntypedRouteContext>(
    handler: (request: NextAuthRequest<S>, context: C) => Awaitable<HandlerResult>,
  ): GuardedFunction<typeof untyped extends keyof C ? RouteContext : C>
  /** As the proxy or middleware: `export { auth as proxy } from "@/auth"`. */
  (request: NextRequest, event: NextFetchEvent): Promise<Response>
  /** In an API Route of the Pages Router, or with `req` and `res` of the context of `getServerSideProps`. */
  (request: GetServerSidePropsContext["req"], response: GetServerSidePropsContext["res"]): Promise<S | null>
  /** In `getServerSideProps`. */
  (context: Pick<GetServerSidePropsContext, "req" | "res">): Promise<S | null>
  /**
   * Wraps a proxy, Route Handler or API Route on Node.js that needs a recent or a strong sign-in. Without one, a page leads to one that
   * asks the user again, and everything else gets 401 with what is missing (RFC 9470).
   */
  <C = UntypedRouteContext>(
    asked: StepUp,
    handler: (request: NextAuthRequest<S>, context: C) => Awaitable<HandlerResult>,
  ): GuardedFunction<typeof untyped extends keyof C ? RouteContext : C>
  /**
   * The session in a Server Component or Server Action that needs a recent or a strong sign-in, as {@link NextAuthResult.requireSession}
   * returns it.
   */
  (asked: RequireSessionOptions): Promise<S>
  /** In Server Components, Server Actions and Route Handlers. */
  (): Promise<S | null>
}

/** Signs in from a Server Action or Route Handler. */
export interface SignInFunction<Id extends string = string> {
  /**
   * @param provider the provider's id. Without one, or with an unknown one, the user goes to the sign-in page.
   * @param options fields for the provider, such as `email`, and:
   *   `redirectTo`, the URL to return to (default: the page that sent the form), and
   *   `redirect`. By default `signIn` redirects by throwing, as `redirect` of Next.js does. With `false` it returns the URL.
   * @param authorizationParams parameters for the provider's authorization endpoint
   * @returns the URL to go to next, if `redirect` is `false`
   * @throws AuthError if the sign-in fails
   */
  <R extends boolean = true, const P extends string = string>(
    provider: IdArgument<Id, P> | undefined,
    options: { readonly redirectTo?: string; readonly redirect?: R } & Readonly<Record<string, unknown>>,
    authorizationParams?: AuthorizationParams,
  ): Promise<R extends false ? string : never>
  // Last on purpose: `signIn.bind(null, "github")`, used as a form action, gets its type from the last overload.
  <const P extends string = string>(
    provider?: IdArgument<Id, P>,
    options?:
      | FormData
      | ({ readonly redirectTo?: string; readonly redirect?: true } & Readonly<Record<string, unknown>>),
    authorizationParams?: AuthorizationParams,
  ): Promise<never>
}

/**
 * Signs out from a Server Action or Route Handler. `redirectTo` and `redirect` work as in {@link SignInFunction}. `scope` says which
 * sessions end: that of this browser, the others, or all. The default is `"this"`.
 */
export type SignOutFunction = <R extends boolean = true>(
  options?: FormData | { readonly redirectTo?: string; readonly redirect?: R; readonly scope?: SignOutScope },
) => Promise<R extends false ? string : never>

/**
 * Passes data to the `jwt` and `session` callbacks with `trigger: "update"`.
 *
 * @returns the new session, or `null` if the visitor isn't signed in
 */
export type UpdateFunction<S = Session> = (data: Readonly<Record<string, unknown>>) => Promise<S | null>

// These types have names because TypeScript can't emit declarations for `export const { handlers } = NextAuth(…)` in an
// application whose own dependencies don't reach the inferred types (TS2742).
/** The Route Handlers for `app/api/auth/[...nextauth]/route.ts`. */
export interface RouteHandlers {
  readonly GET: RouteHandler
  readonly POST: RouteHandler
}

export type RouteHandler = (request: NextRequest) => Promise<Response>

/** The functions that `NextAuth()` returns. */
export interface NextAuthResult<S = Session, Id extends string = string> extends UserFunctions {
  /**
   * The token for forms of your own pages that post to the auth routes, as the field `csrfToken`. Call it in a Server Action or
   * Route Handler: a Server Component can't set the cookie that belongs to a new token. A Server Action that calls `signIn` needs
   * no token. Next.js adds the cookie to the response of a Route Handler, whose headers only the handler can set: send
   * `Cache-Control: private, no-store`.
   */
  readonly csrfToken: () => Promise<string>
  /** Export these from `app/api/auth/[...nextauth]/route.ts`. */
  readonly handlers: RouteHandlers
  /** Returns the current session, or protects a request. */
  readonly auth: AuthFunction<S>
  /**
   * Returns the session, or redirects to the sign-in page if there is none. Use it in Server Components, Server Actions
   * and Route Handlers. `redirectTo` is the URL to return to after the sign-in. On Node.js, it's the current page by default. With
   * `maxAge` or `level`, a user whose sign-in isn't recent or strong enough is asked again. A Route Handler that serves programs wraps
   * itself with `auth` instead, because only that can say what is missing.
   *
   * @throws AuthError if the database fails: the user may be signed in
   */
  readonly requireSession: (options?: RequireSessionOptions) => Promise<S>
  /** Signs in from a Server Action or Route Handler. */
  readonly signIn: SignInFunction<Id>
  /** Signs out from a Server Action or Route Handler. */
  readonly signOut: SignOutFunction
  /** Updates the session from a Server Action or Route Handler. */
  readonly update: UpdateFunction<S>
  /**
   * The account of the current user: their passkeys, linked accounts, sessions and email. Functions that only read work in
   * Server Components too, those that change something in Server Actions and Route Handlers.
   */
  readonly account: UserAccount
  /** Access tokens of providers for the current user, in Server Components, Server Actions and Route Handlers: see {@link Token}. */
  readonly token: Token
  /** The name of `update` in next-auth. */
  readonly unstable_update: UpdateFunction<S>
}
