import type { AuthError } from "../errors.js"
import type { Env } from "../config/env/variables.js"
import type { UserAccount } from "../model/account.js"
import type { SetCookie } from "../model/cookie.js"
import type { PlainRequest, PlainResponse } from "../model/http.js"
import type { ModuleMembers } from "../module-kit/members.js"
import type { UserExport } from "../model/user-export.js"
import type { SessionUpdate } from "../model/session.js"
import type { StepUp } from "../model/step-up.js"
import type { TokenOptions, TokenProblem, TokenRequest, TokenResult } from "../model/provider-token.js"
import type { SignOutOptions } from "../model/session-strategy.js"
import type { SentParams, SignInOptions } from "../server.js"
import type { Awaitable } from "../primitives/awaitable.js"

/** A request, as the framework describes it. */
export interface FrameworkRequest {
  readonly method: string
  /** The full URL, with the scheme and host that the framework sees. */
  readonly url: URL
  /**
   * The request target as the router of the framework gets it. Routers for Node don't resolve `..` and `\\`, and a `URL` does.
   *
   * @default the path of `url`
   */
  readonly target?: string | undefined
  readonly headers: Headers
  /** Replaces the `Cookie` header, if the framework also knows cookies that were set earlier in this request. */
  readonly cookie?: string | undefined
  /** The IP address of the client, for rate limits. */
  readonly address?: string | undefined
  /** Whether `address` may be from a header, which a client can write itself. @default false: it's that of the connection */
  readonly isAddressForgeable?: boolean | undefined
  /** Path and query of the page that a form belongs to. @default the page in the `Referer` header */
  readonly page?: string | undefined
  /** Whether the browser shows a page next, so that it can go to the sign-in page. @default as its headers say, if it's a GET */
  readonly opensPage?: boolean | undefined
  /** Whether the framework puts a base path in front of each path that it redirects to. It gets full URLs. @default false */
  readonly needsFullUrl?: boolean | undefined
}

/** How a framework's requests are read, and how cookies are set. `E` is what the framework passes to its handlers. */
export interface Framework<E extends object> {
  /** Path of the auth routes, if neither the configuration nor `AUTH_URL` has one. */
  readonly basePath: string
  /** `true`: the path of `AUTH_URL` doesn't move the auth routes. @default false */
  readonly hasFixedPath?: boolean
  /**
   * The environment variables of the application. `event` is `undefined` outside of a request, such as in a job.
   *
   * @default those of the process
   */
  env?(event: E | undefined): Env | undefined
  read(event: E): FrameworkRequest
  /** The request with its body, for the auth routes. `undefined` if it's malformed, which is answered with 400. */
  toRequest(event: E): PlainRequest | undefined | PromiseLike<PlainRequest | undefined>
  /** The object that belongs to one request, if there can be several events for it. @default the event */
  requestOf?(event: E): object
  /** Sets cookies with the means of the framework. @default `finish` adds them to the response */
  setCookies?(event: E, cookies: readonly SetCookie[]): void
  /** Called by `finish` if the response has cookies: the application may have changed its headers since `setCookies`. */
  preventCaching?(event: E): void
  /** Whether the headers can't change anymore. Then nothing is renewed, and sign-ins and updates throw. @default after `finish` */
  isSent?(event: E): boolean
  /** What the error says if they were sent, and what to do. @default that the headers have been sent */
  readonly sentMessage?: string
  /**
   * Whether forms reach the functions through the framework as browsers sent them: a call from another site is refused, and a refused
   * sign-in has a page. `false`: the framework has checked the sender, and hides errors from users. Then `signIn` throws a refusal,
   * `update` has no session if reading it fails, and errors keep their details, as with the Auth.js package for the framework.
   *
   * @default true
   */
  readonly forwardsForms?: boolean
  /**
   * `true`: the auth routes accept forms of the application without a CSRF token, as the Auth.js package for the framework
   * does. The sender is checked instead. Under strict, the routes still ask for a token. @default false
   */
  readonly acceptsForms?: boolean
  /**
   * Whether the router of the framework sends here only what is below the base path. Then `handle` also answers unknown routes.
   *
   * @default false
   */
  isMounted?(event: E): boolean
  /** Whether a configuration function returns the modules. Without a request, they have no members then. @default false */
  readonly returnsModules?: boolean
}

/** Where to send the user after a sign-in or sign-out. */
export interface Destination {
  /** An absolute URL, or a path of this site. */
  readonly to: string
  /** Why the sign-in was refused or couldn't start. The log has it too. `to` is the page that explains it to the user. */
  readonly error?: AuthError
}

/** The session, or what to respond without one. */
export type Access<S> = { readonly session: S } | Refusal

/** What to respond to a request without a session, or without one that is enough. */
export interface Refusal {
  readonly session: null
  /** The page to sign in or to be asked again, for a browser that opens a page. A path stays a path. `undefined`: only `response` makes sense. */
  readonly to: string | undefined
  /** The full URL of that page, for scripts that treat a path as a page of the application. */
  readonly url: string | undefined
  /** A redirect (303) to that page, 401 with a JSON body, or 503 if the database fails. */
  readonly response: Response
}

/**
 * Ends everything that gives access to the account of a user: their sessions, open email links and email changes, and what
 * modules have issued. The user can sign in again.
 *
 * @param reason for the security event and the modules, such as `"stolen laptop"`
 * @param event the request. Needed only if the configuration is a function, or the platform passes environment variables with it
 * @throws RevokeError if something may still work. Everything else has ended
 */
export type Revoke<E = never> = (userId: string, reason?: string, event?: E) => Promise<void>

/**
 * What the application does with any user, in or outside of a request. The event is needed only if the configuration is a function, or
 * the platform passes environment variables with it.
 */
export interface UserFunctions<E = never> {
  /** Ends everything that gives access to the account of a user, such as their sessions: see {@link Revoke}. */
  readonly revoke: Revoke<E>
  /**
   * Ends what `revoke` ends, and refuses every sign-in of the user and what modules accept from them, until `enable`.
   *
   * @throws InvalidConfig without records
   * @throws RevokeError if something may still work. Everything else has ended, and the user is disabled
   */
  readonly disable: Revoke<E>
  /** Lets a user sign in again whom `disable` keeps out. What it ended stays ended. @throws InvalidConfig without records */
  readonly enable: (userId: string, event?: E) => Promise<void>
  /** Everything that is stored about a user, by the adapter, by Latchkey and by the modules, as JSON without secrets: see {@link UserExport}. */
  readonly export: (userId: string, event?: E) => Promise<UserExport>
}

/**
 * Access tokens of providers, for the user who sent the request. The event is the first argument, unless the framework knows the current
 * one: then `E` is `never`. If it passes several arguments, `E` is a list of them. It needs `tokens: vault` and records.
 *
 * @example
 * ```ts
 * import type { Token } from "@latchkey/core/integration"
 *
 * declare const token: Token<Request>
 * export async function respond(request: Request): Promise<Response> {
 *   const google = await token(request, "google")
 *   return google.problem === undefined ? Response.json(google.scopes) : Response.json(google.problem, { status: 403 })
 * }
 * ```
 */
export interface Token<E = never> {
  /** The access token, renewed if it's about to expire, or why there is none. */
  (...args: EventArguments<E, [provider: string, options?: TokenOptions]>): Promise<TokenResult>
  /** Sends a request with the token. After a 401, the token is renewed and the request is sent again. Redirects are returned. */
  readonly fetch: (
    ...args: EventArguments<E, [provider: string, url: string | URL, options?: TokenRequest]>
  ) => Promise<Response | TokenProblem>
}

type EventArguments<E, A extends readonly unknown[]> = [E] extends [never]
  ? A
  : E extends readonly unknown[]
    ? [...E, ...A]
    : [event: E, ...A]

/** What every integration with a framework offers, in the framework's own terms. */
export interface Integration<E extends object, S> extends UserFunctions<E> {
  /** Responds to a request for an auth route. `undefined`: the request is for another route. */
  handle(event: E): Promise<Response | undefined>
  /** The same as data, for a server that needs no `Response`. */
  answer(event: E): Promise<PlainResponse | undefined>
  /**
   * The current session. Several calls for one request read it once.
   *
   * @throws AuthError if the configuration is invalid. If the database fails or the host isn't trusted, it returns `null`
   */
  session(event: E, options?: { readonly readOnly?: boolean }): Promise<S | null>
  /**
   * The current session, or a redirect to the sign-in page for pages and 401 for everything else. With `asked`, the sign-in has to be
   * recent or strong: otherwise a page leads to one that asks the user again, and everything else gets 401 with what is missing.
   *
   * @throws AuthError if the configuration is invalid, or no session could be enough
   */
  requireSession(event: E, asked?: StepUp): Promise<Access<S>>
  /**
   * The same for a package that has read the session itself. `undefined`: it's recent and strong enough.
   *
   * @throws AuthError if the configuration is invalid, or no session could be enough
   */
  stepUp(event: E, asked: StepUp, isSignedIn: boolean): Promise<Refusal | undefined>
  /**
   * For middleware that protects many routes: the response to a request without a session. `undefined`: the request may go on.
   * The auth routes and the pages in `pages` are open to everyone, so the sign-in page doesn't redirect to itself.
   */
  protect(event: E): Promise<Response | undefined>
  /**
   * Starts a sign-in, or ends one for credentials. A form of another site is refused. An empty text names no provider, like the
   * field of a form.
   *
   * @throws AuthError if the configuration is invalid, or the response has been sent, so no cookie can be set anymore
   */
  signIn(event: E, provider?: string, options?: SignInOptions, authorizationParams?: SentParams): Promise<Destination>
  signOut(event: E, options?: SignOutOptions): Promise<Destination>
  /**
   * Passes `data` to the callbacks as an update, and returns the new session. `null`: no user is signed in.
   *
   * @throws AuthError if a callback or the database fails, the response has been sent, or another site sent the request
   */
  update(event: E, data: SessionUpdate): Promise<S | null>
  /**
   * The account of the user who sent the request: passkeys, linked accounts, sessions and email. A change that another site
   * requests is refused.
   *
   * @param changed called after a function that changes something, even if it fails
   */
  account(event: E, changed?: () => Awaitable<unknown>): UserAccount
  /**
   * The token for forms of your own pages that post to the auth routes, as the field `csrfToken`. Its cookie is set with the
   * response. Empty if the configuration turns the tokens off.
   *
   * @throws AuthError if the browser needs a new cookie, and the response has been sent
   */
  csrfToken(event: E): Promise<string>
  readonly token: Token<E>
  /** What the modules add, by their ids. `withMembers` adds them to the result of your initializer. */
  members(event?: E): ModuleMembers
  /** The members of the modules that a configuration function returns for a request. */
  membersFor(event: E): Promise<ModuleMembers>
  /** Adds the cookies of this request to its response, unless `setCookies` has set them. No shared cache may store it. */
  finish(event: E, response: Response): Response
  /** The same, if the framework makes the response. */
  finish(event: E): void
}
