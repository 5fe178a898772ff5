import type { Awaitable, Session } from "@latchkey/core/types"
import type { GetServerSidePropsContext, NextApiRequest, NextApiResponse } from "next"
import type { NextFetchEvent, NextRequest } from "next/server.js"
import type { AuthorizationParams } from "./actions.js"

/** A request whose visitor is known. */
export interface NextAuthRequest<S = Session> extends NextRequest {
  readonly auth: S | null
}

/** What Next.js hands to a route handler beside the request. In Next.js 14 `params` is no promise. */
export interface RouteContext {
  readonly params: Promise<Record<string, string | string[] | undefined>>
}

type Answer = Response | undefined | null | void

/** What became of a function that `auth` was put around. */
export interface GuardedFunction<C = RouteContext> {
  /** A middleware, a proxy, an edge API route. */
  (request: NextRequest, event?: NextFetchEvent): Promise<Response>
  /** A route handler; last, since Next.js 15 checks the types of what a route exports, and looks no further. */
  (request: NextRequest, context: C): Promise<Response>
}

/** The session of whoever asks, wherever Next.js is asked (spec/next.md §4). */
export interface AuthFunction<S = Session> {
  /**
   * Around a middleware, a route handler or an edge API route: `handler` gets the request with `auth`, and is not called
   * when `authorized` does not let the request pass. Without an answer of its own the request goes on.
   */
  <C = RouteContext>(handler: (request: NextAuthRequest<S>, context: C) => Awaitable<Answer>): GuardedFunction<C>
  /** As the middleware or proxy itself. */
  (request: NextRequest, event: NextFetchEvent): Promise<Response>
  /** In an API route of the Pages Router. */
  (request: NextApiRequest, response: NextApiResponse): Promise<S | null>
  /** In `getServerSideProps`. */
  (context: GetServerSidePropsContext): Promise<S | null>
  /** In server components, server actions and route handlers. */
  (): Promise<S | null>
}

/** Sends the browser on, which it does by throwing as `redirect` of Next.js does, unless `redirect` is `false`. */
export interface SignInFunction {
  /**
   * @param provider its id; without one, or with one that is not configured, the sign-in page is the target
   * @param options where to go afterwards (default: the page the form was on, without its query), and fields for the provider
   * @param authorizationParams for the provider's authorization endpoint
   * @returns with `redirect: false` the address to go to
   * @throws AuthError what would have led to the sign-in or error page
   */
  <R extends boolean = true>(
    provider: string | undefined,
    options: { readonly redirectTo?: string; readonly redirect?: R } & Readonly<Record<string, unknown>>,
    authorizationParams?: AuthorizationParams,
  ): Promise<R extends false ? string : never>
  /** Last, since `signIn.bind(null, "github")`, the action of a form, takes its type from here. */
  (
    provider?: string,
    options?:
      | FormData
      | ({ readonly redirectTo?: string; readonly redirect?: true } & Readonly<Record<string, unknown>>),
    authorizationParams?: AuthorizationParams,
  ): Promise<never>
}

/** Ends the session; see {@link SignInFunction} for `redirect`. */
export type SignOutFunction = <R extends boolean = true>(
  options?: FormData | { readonly redirectTo?: string; readonly redirect?: R },
) => Promise<R extends false ? string : never>

/** Hands data to the `jwt` and `session` callbacks, with the trigger "update". `null`: nobody is signed in. */
export type UpdateFunction<S = Session> = (data: Readonly<Record<string, unknown>>) => Promise<S | null>

/** Named, as all that `NextAuth()` gives: a declaration of an application can name nothing of Next.js by itself (TS2742). */
export interface RouteHandlers {
  readonly GET: RouteHandler
  readonly POST: RouteHandler
}

export type RouteHandler = (request: NextRequest) => Promise<Response>

/** What `NextAuth()` gives (spec/next.md §2). */
export interface NextAuthResult<S = Session> {
  /** For `app/api/auth/[...nextauth]/route.ts`. */
  readonly handlers: RouteHandlers
  readonly auth: AuthFunction<S>
  /** The session, or else on to the sign-in page: for pages and actions that nobody may see or do without. */
  readonly requireSession: (options?: { readonly redirectTo?: string }) => Promise<S>
  /** In server actions and route handlers. */
  readonly signIn: SignInFunction
  /** In server actions and route handlers. */
  readonly signOut: SignOutFunction
  /** In server actions and route handlers. */
  readonly update: UpdateFunction<S>
  /** The same as `update`, under the name it has in next-auth. */
  readonly unstable_update: UpdateFunction<S>
}
