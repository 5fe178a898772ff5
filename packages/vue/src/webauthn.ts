import type { AuthClient } from "@latchkey/client"
import { signIn as signInWith } from "@latchkey/client/webauthn"
import { useAuth } from "./index.js"

/** Signs in with a passkey, or creates one. Call it from a click handler, because browsers require a user gesture. */
export type SignInWithPasskey = AuthClient["signIn"]

/**
 * Returns `signIn` for passkeys.
 *
 * @example
 * ```ts
 * import { usePasskeys } from "@latchkey/vue/webauthn"
 *
 * export function useRegistration() {
 *   const { signIn } = usePasskeys()
 *   return (email: string) => signIn("passkey", { action: "register", email })
 * }
 * ```
 * @throws Error without the plugin. `signIn` throws a TypeError if `provider` isn't a passkey provider, and a DOMException if
 * the user cancels or the browser refuses
 */
export function usePasskeys(): { readonly signIn: SignInWithPasskey } {
  const client = useAuth()
  // `redirect` decides which overload applies.
  const signIn = (async (provider, options, authorizationParams) =>
    signInWith(client, provider, { ...options }, authorizationParams)) as SignInWithPasskey
  return { signIn }
}
