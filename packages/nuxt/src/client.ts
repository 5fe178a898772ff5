import type { Session } from "@latchkey/core/types"
import { useSession as useSessionOf, type UseSessionReturn } from "@latchkey/vue"

export {
  type AuthClient,
  type ClientSafeProvider,
  type SignInOptions,
  type SignInResponse,
  type SignOutParams,
  type SignOutResponse,
  useAuth,
  type UseSessionReturn,
} from "@latchkey/vue"

/** The types of the application. The Nuxt module writes the type of its session here. */
export interface Register {}

/** The session that the `session` callback of the application returns. */
export type AppSession = Register extends { readonly session: infer S } ? S : Session

/**
 * Returns the current session. It's the one that the server rendered the page with, and follows the server and other tabs
 * afterwards.
 *
 * @example
 * ```ts
 * import { useSession } from "@latchkey/nuxt/client"
 * import { computed } from "vue"
 *
 * export function useGreeting() {
 *   const { data } = useSession()
 *   return computed(() => (data.value ? `Hello ${data.value.user?.name}` : "Please sign in"))
 * }
 * ```
 */
export function useSession<S = AppSession>(): UseSessionReturn<S> {
  return useSessionOf<S>()
}
