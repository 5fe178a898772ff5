import { seeOther } from "../http/respond.js"
import type { IdArgument } from "../model/known-names.js"
import type { SignOutOptions } from "../model/session-strategy.js"
import type { SentParams, SignInOptions } from "../server.js"
import type { UserAccount } from "../model/account.js"
import type { SessionUpdate } from "../model/session.js"
import { tokenBy, userFunctionsBy } from "./members.js"
import type { Destination, Integration, Token, UserFunctions } from "./model.js"

/** Parameters for the provider's authorization endpoint, such as `prompt`. */
export type AuthorizationParams = Readonly<Record<string, string>>

/** The application responds itself. */
export interface WithoutRedirect {
  readonly redirect: false
}

/** The package makes a redirect. It's the default. */
export interface WithRedirect {
  readonly redirect?: true
}

export type { SignOutOptions }

/** The event is the first argument, unless the framework knows the current one: then `E` is `never`. */
type Call<E, A extends readonly unknown[]> = [E] extends [never] ? A : [event: E, ...A]

/**
 * Starts a sign-in, or ends one for credentials.
 *
 * @example
 * ```ts
 * import type { SignIn } from "@latchkey/core/integration"
 *
 * declare const signIn: SignIn<Request>
 * export async function respond(request: Request): Promise<Response> {
 *   const { to, error } = await signIn(request, "github", { redirectTo: "/account", redirect: false })
 *   return Response.json({ to, error: error?.type })
 * }
 * ```
 * @typeParam E - what the framework passes to its handlers. `never`: the framework knows the current event
 * @typeParam R - what makes the redirect. `never`: the function throws it
 * @typeParam Form - a form that the framework passes to actions, with the options in its fields
 */
export interface SignIn<E, Id extends string = string, R = Response, Form = never, Params = AuthorizationParams> {
  /** Returns where to send the user, and the `error` if the sign-in was refused. */
  <const P extends string = string>(
    ...args: Call<
      E,
      [provider: IdArgument<Id, P> | undefined, options: SignInOptions & WithoutRedirect, authorizationParams?: Params]
    >
  ): Promise<Destination>
  /** Makes a redirect (303). A refused sign-in leads to the page that shows the error. */
  <const P extends string = string>(
    ...args: Call<
      E,
      [provider?: IdArgument<Id, P>, options?: Form | (SignInOptions & WithRedirect), authorizationParams?: Params]
    >
  ): Promise<R>
}

/** Ends the session. The types are those of {@link SignIn}. */
export interface SignOut<E, R = Response, Form = never> {
  /** Returns where to send the user. */
  (...args: Call<E, [options: SignOutOptions & WithoutRedirect]>): Promise<Destination>
  /** Makes a redirect (303). */
  (...args: Call<E, [options?: Form | (SignOutOptions & WithRedirect)]>): Promise<R>
}

/** What a package gets, before `redirect` decides which overload applies. */
export interface SignInInput extends SignInOptions {
  readonly redirect?: boolean
}

/** The same for a sign-out. */
export interface SignOutInput extends SignOutOptions {
  readonly redirect?: boolean
}

/**
 * A redirect, or the destination itself if the application responds.
 *
 * @param leave makes or throws the redirect. @default a response with status 303
 */
export function answerWith<R = Response>(
  destination: Destination,
  redirect = true,
  leave: (destination: Destination) => R = seeOther as never,
): R | Destination {
  return redirect ? leave(destination) : destination
}

/** The functions of a package whose framework passes its event `E` to every function. `R` is what makes the redirect. */
export interface EventFunctions<E, S, Id extends string = string, R = Response> extends UserFunctions<E> {
  /** The current session, or `null`. Several calls for one request read it once. */
  readonly getSession: (event: E) => Promise<S | null>
  /**
   * Starts a sign-in, or ends one for credentials, and makes a redirect (303). A form of another site is refused. A refused
   * sign-in leads to the page that shows the error.
   */
  readonly signIn: SignIn<E, Id, R>
  /** Ends the session, and makes a redirect (303). A form of another site is refused. */
  readonly signOut: SignOut<E, R>
  /** Passes `data` to the callbacks as an update, and returns the new session. `null`: no user is signed in. */
  readonly update: (event: E, data: SessionUpdate) => Promise<S | null>
  /**
   * The account of the user who sent the request: their passkeys, linked accounts, sessions and email. A change that another
   * site requests is refused.
   */
  readonly account: (event: E) => UserAccount
  /** Access tokens of providers, for the user who sent the request: see {@link Token}. */
  readonly token: Token<E>
  /** The token for forms of your own pages that post to the auth routes, as the field `csrfToken`. */
  readonly csrfToken: (event: E) => Promise<string>
}

/** The same functions, if the framework knows the current event. */
export interface CurrentFunctions<S, Id extends string = string, R = Response> {
  /** The current session, or `null`. Several calls for one request read it once. */
  readonly getSession: () => Promise<S | null>
  readonly signIn: SignIn<never, Id, R>
  readonly signOut: SignOut<never, R>
  /** Passes `data` to the callbacks as an update, and returns the new session. `null`: no user is signed in. */
  readonly update: (data: SessionUpdate) => Promise<S | null>
  /**
   * The account of the user who sent the request: their passkeys, linked accounts, sessions and email. A change that another
   * site requests is refused.
   */
  readonly account: () => UserAccount
  /** Access tokens of providers, for the user who sent the request: see {@link Token}. */
  readonly token: Token
  /** The token for forms of your own pages that post to the auth routes, as the field `csrfToken`. */
  readonly csrfToken: () => Promise<string>
}

/**
 * The functions that a package offers to its users.
 *
 * @example
 * ```ts
 * import { eventFunctions, type Integration } from "@latchkey/core/integration"
 *
 * export const authOf = (integration: Integration<Request, unknown>) => eventFunctions(integration)
 * ```
 * @param leave makes the redirect. @default a response with status 303
 */
export function eventFunctions<E extends object, S, R = Response>(
  auth: Integration<E, S>,
  leave?: (destination: Destination) => R,
): EventFunctions<E, S, string, R> {
  const signIn = async (
    event: E,
    provider?: string,
    { redirect, ...options }: SignInInput = {},
    params?: SentParams,
  ): Promise<unknown> => answerWith(await auth.signIn(event, provider, options, params), redirect, leave)
  const signOut = async (event: E, { redirect, ...options }: SignOutInput = {}): Promise<unknown> =>
    answerWith(await auth.signOut(event, options), redirect, leave)
  const { session: getSession, update, revoke, disable, enable, export: exportUser, token, csrfToken } = auth
  return {
    getSession,
    // `redirect` decides which overload applies.
    signIn: signIn as SignIn<E, string, R>,
    signOut: signOut as SignOut<E, R>,
    update,
    account: (event) => auth.account(event),
    revoke,
    disable,
    enable,
    export: exportUser,
    token,
    csrfToken,
  }
}

type AnyCall = (...args: readonly unknown[]) => unknown

/**
 * {@link eventFunctions} for what users pass instead of the event.
 *
 * @param eventOf finds the event in the arguments of a function
 */
export function eventFunctionsBy<A, E extends object, S, R>(
  functions: EventFunctions<E, S, string, R>,
  eventOf: (given: A) => E,
): EventFunctions<A, S, string, R> {
  return {
    ...(through(functions, (_, [given, ...rest]) => [eventOf(given as A), ...rest]) as object as EventFunctions<
      A,
      S,
      string,
      R
    >),
    ...userFunctionsBy(functions, (given: A | undefined) => given && eventOf(given)),
  }
}

/**
 * {@link eventFunctions} for the event that the framework knows.
 *
 * @param current gets the name of the function, for its errors
 */
export function currentFunctions<E extends object, S, R>(
  functions: EventFunctions<E, S, string, R>,
  current: (name: string) => E,
): CurrentFunctions<S, string, R> {
  return through(functions, (name, args) => [current(name), ...args]) as object as CurrentFunctions<S, string, R>
}

/** The functions with other arguments, except for {@link UserFunctions}, whose event is the last one. */
function through(
  { account, token, ...others }: EventFunctions<never, unknown, string, unknown>,
  argumentsFor: (name: string, args: readonly unknown[]) => readonly unknown[],
): Readonly<Record<string, AnyCall>> {
  const promised = Object.entries(others).map(([name, call]): [string, AnyCall] => [
    name,
    async (...args) => (call as AnyCall)(...argumentsFor(name, args)),
  ])
  return {
    ...Object.fromEntries(promised),
    account: (...args) => (account as AnyCall)(...argumentsFor("account", args)),
    token: tokenBy(token, (args) => argumentsFor("token", args)) as object as AnyCall,
  }
}
