import { seeOther } from "../http/respond.js"
import type { IdArgument } from "../model/known-names.js"
import type { SignInOptions } from "../server.js"
import type { Destination, Integration } from "./model.js"

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

export interface SignOutOptions {
  /** Where the user goes afterwards. @default the current page */
  readonly redirectTo?: string | undefined
}

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

/** A redirect (303), or the destination itself if the application responds. */
export function answerWith(destination: Destination, redirect?: boolean): Response | Destination
/** The same, with a redirect that `leave` makes or throws. */
export function answerWith<R>(
  destination: Destination,
  redirect: boolean | undefined,
  leave: (destination: Destination) => R,
): R | Destination
export function answerWith(
  destination: Destination,
  redirect = true,
  leave: (destination: Destination) => unknown = seeOther,
): unknown {
  return redirect ? leave(destination) : destination
}

/**
 * The functions of a package whose framework passes its event to every function.
 *
 * @example
 * ```ts
 * import { type Integration, signInAndOut } from "@latchkey/core/integration"
 *
 * export const authOf = (integration: Integration<Request, unknown>) => ({
 *   getSession: integration.session,
 *   ...signInAndOut(integration),
 * })
 * ```
 */
export function signInAndOut<E extends object>(
  auth: Pick<Integration<E, unknown>, "signIn" | "signOut">,
): { readonly signIn: SignIn<E>; readonly signOut: SignOut<E> } {
  const signIn = async (
    event: E,
    provider?: string,
    { redirect, ...options }: SignInInput = {},
    params?: AuthorizationParams,
  ) => answerWith(await auth.signIn(event, provider, options, params), redirect)
  const signOut = async (event: E, { redirect, ...options }: SignOutInput = {}) =>
    answerWith(await auth.signOut(event, options), redirect)
  // `redirect` decides which overload applies.
  return { signIn: signIn as SignIn<E>, signOut: signOut as SignOut<E> }
}
