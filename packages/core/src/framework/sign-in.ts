import { seeOther } from "../http/respond.js"
import type { IdArgument } from "../model/known-names.js"
import type { SignInOptions } from "../server.js"
import type { Destination } from "./model.js"

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

/** Starts a sign-in, or ends one for credentials. `E` is what the framework passes to its handlers. */
export interface SignIn<E, Id extends string = string> {
  /** Returns where to send the user, and the `error` if the sign-in was refused. */
  <const P extends string = string>(
    event: E,
    provider: IdArgument<Id, P> | undefined,
    options: SignInOptions & WithoutRedirect,
    authorizationParams?: AuthorizationParams,
  ): Promise<Destination>
  /** Returns a redirect (303). A refused sign-in leads to the page that shows the error. */
  <const P extends string = string>(
    event: E,
    provider?: IdArgument<Id, P>,
    options?: SignInOptions & WithRedirect,
    authorizationParams?: AuthorizationParams,
  ): Promise<Response>
}

/** Ends the session. */
export interface SignOut<E> {
  /** Returns where to send the user. */
  (event: E, options: SignOutOptions & WithoutRedirect): Promise<Destination>
  /** Returns a redirect (303). */
  (event: E, options?: SignOutOptions & WithRedirect): Promise<Response>
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
export function answerWith(destination: Destination, redirect = true): Response | Destination {
  return redirect ? seeOther(destination) : destination
}
