import type { AuthConfig, JWT, Session, SignOutScope } from "@latchkey/core/types"

/** The configuration. Missing values, such as the secret, come from environment variables. */
export interface SvelteKitAuthConfig<T extends JWT = JWT, S = Session> extends Omit<AuthConfig<T, S>, "raw"> {}

/**
 * Declare `auth` here to give `locals.auth()` and `useSession()` the type that your `session` callback returns.
 *
 * @example
 * ```ts
 * import { SvelteKitAuth } from "@latchkey/sveltekit"
 *
 * const auth = SvelteKitAuth({ providers: [] })
 * declare module "@latchkey/sveltekit" {
 *   interface Register {
 *     auth: typeof auth
 *   }
 * }
 * ```
 */
export interface Register {}

/** The session of the registered `auth`, else `Session`. */
export type RegisteredSession = Register extends { auth: { getSession: (event: never) => Promise<infer S> } }
  ? NonNullable<S>
  : Session

/** Fields of the provider's form, such as `email`, and where the user goes afterwards. */
export type ActionOptions<Redirect extends boolean = true> =
  | FormData
  | ({
      /** The callback URL. @default the current page */
      redirectTo?: string
      /** `false`: return the URL instead of redirecting to it. @default true */
      redirect?: Redirect
    } & Record<string, unknown>)

/** What `new URLSearchParams()` accepts. */
export type AuthorizationParams = string | string[][] | Record<string, string> | URLSearchParams

declare global {
  namespace App {
    interface Locals {
      /** The current session. Several calls for one request read it once. */
      auth(): Promise<RegisteredSession | null>
      /** @deprecated Use `auth` instead. */
      getSession(): Promise<RegisteredSession | null>
      /**
       * Starts a sign-in, or ends one for credentials, and redirects.
       *
       * @throws AuthError if the sign-in is refused. If you don't catch it, the user gets to the page that explains it
       */
      signIn<Redirect extends boolean = true>(
        provider?: string,
        options?: ActionOptions<Redirect>,
        authorizationParams?: AuthorizationParams,
      ): Promise<Redirect extends false ? string : never>
      /** Ends the session, and redirects. */
      signOut<Redirect extends boolean = true>(options?: {
        /** The callback URL. @default the current page */
        redirectTo?: string
        /** Which sessions end: that of this browser, the others, or all. @default "this" */
        scope?: SignOutScope
        /** `false`: return the URL instead of redirecting to it. @default true */
        redirect?: Redirect
      }): Promise<Redirect extends false ? string : never>
    }
    interface PageData {
      session?: RegisteredSession | null
    }
  }
}
