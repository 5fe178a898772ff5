import { type AuthClient, createAuthClient, type SignIn, type SignOut } from "@latchkey/client"
import { SessionProvider as Provider, type SessionProviderProps } from "@latchkey/solid"
import type { Session } from "@latchkey/core/types"
import { createComponent, type JSX, mergeProps } from "solid-js"

export type {
  SignInAuthorizationParams,
  SignInOptions,
  SignInResponse,
  SignOutParams,
  SignOutResponse,
} from "@latchkey/client"
export {
  type SessionOf,
  type SessionProviderProps,
  type SessionState,
  type UpdateSession,
  useAuthClient,
  useSession,
  type UseSessionOptions,
} from "@latchkey/solid"

const basePath = "/api/auth"

/**
 * Provides the session to `useSession`, as the one of `@latchkey/solid` does. The default of `basePath` is `/api/auth`.
 *
 * @example
 * ```ts
 * import { SessionProvider } from "@latchkey/solid-start/client"
 * import { createComponent, type JSX } from "solid-js"
 *
 * export const Providers = (props: { children: JSX.Element }) =>
 *   createComponent(SessionProvider, {
 *     get children() {
 *       return props.children
 *     },
 *   })
 * ```
 */
export function SessionProvider<S extends object = Session>(props: SessionProviderProps<S>): JSX.Element {
  return createComponent(Provider<S>, mergeProps({ basePath }, props))
}

let client: AuthClient | undefined

/** For auth routes at `/api/auth`. `useAuthClient()` has the one of the provider. */
function ownClient(): AuthClient {
  return (client ??= createAuthClient({ basePath }))
}

/**
 * Signs in with a provider at `/api/auth`. Without a provider, or with an unknown one, it opens the sign-in page.
 *
 * With `redirect: false` it stays on the page and returns the result, also if the sign-in fails.
 *
 * @example
 * ```ts
 * import { signIn } from "@latchkey/solid-start/client"
 *
 * export const withGitHub = () => signIn("github", { redirectTo: "/account" })
 * ```
 * @throws TypeError for a passkey provider. Import `signIn` from `@latchkey/solid-start/webauthn` for those.
 */
// `redirect` decides which overload applies.
export const signIn: SignIn = (async (...args: Parameters<SignIn>) => ownClient().signIn(...args)) as SignIn

/**
 * Signs out in all tabs.
 *
 * @example
 * ```ts
 * import { signOut } from "@latchkey/solid-start/client"
 *
 * export const leave = () => signOut({ redirectTo: "/" })
 * ```
 */
export const signOut: SignOut = (async (...args: Parameters<SignOut>) => ownClient().signOut(...args)) as SignOut
