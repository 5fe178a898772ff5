import type { Destination, MembersOf, SessionOf, SignInOptions } from "@latchkey/core/integration"
import type { AuthConfig, Awaitable, JWT, OnlyOptions, Session } from "@latchkey/core/types"
import type { FactoryProvider, ModuleMetadata } from "@nestjs/common"

/** The configuration. Missing values, such as the secret, come from environment variables. */
export interface LatchkeyConfig<T extends JWT = JWT, S = unknown> extends Omit<AuthConfig<T, S>, "raw"> {}

/** How the configuration is made from other providers of the application. */
export interface LatchkeyAsyncOptions<K extends PropertyKey = never> {
  /** Modules with the providers in `inject`. */
  readonly imports?: ModuleMetadata["imports"]
  readonly inject?: FactoryProvider["inject"]
  readonly useFactory: (...dependencies: never[]) => Awaitable<OnlyOptions<LatchkeyConfig, K>>
}

/**
 * Declare the type of your configuration here. Sessions then have the type that your `session` callback returns, and {@link AuthService} has your modules.
 *
 * @example
 * ```ts no-check
 * declare module "@latchkey/nestjs" {
 *   interface Register {
 *     config: typeof config
 *   }
 * }
 * ```
 */
export interface Register {}

/** The session of your application. See {@link Register}. */
export type AppSession = Register extends { config: infer C } ? SessionOf<C> : Session

/** What the modules of your application add, by their ids. See {@link Register}. */
export type AppMembers = Register extends { config: infer C } ? MembersOf<C> : {}

/** Where to send the user. A handler with `@Redirect()` returns it. */
export interface AuthRedirect {
  readonly url: string
  readonly statusCode: 303
  /** Why the sign-in was refused or couldn't start. `url` is the page that explains it to the user. */
  readonly error?: NonNullable<Destination["error"]>
}

export type { SignInOptions }
