import { type AuthClientOptions, createAuthClient, type SignIn } from "@latchkey/client"
import { signIn as signInWith } from "@latchkey/client/webauthn"

/**
 * Creates {@link signIn} for auth routes at another base path than `/api/auth`.
 *
 * @example
 * ```ts
 * import { createSignIn } from "@latchkey/solid-start/webauthn"
 *
 * const signIn = createSignIn({ basePath: "/auth" })
 * export const register = (email: string) => signIn("passkey", { action: "register", email })
 * ```
 */
export function createSignIn(options: Pick<AuthClientOptions, "basePath" | "baseUrl"> = {}): SignIn {
  const client = createAuthClient({ basePath: "/api/auth", ...options })
  // `redirect` decides which overload applies.
  return (async (provider, options, authorizationParams) =>
    signInWith(client, provider, { ...options }, authorizationParams)) as SignIn
}

/**
 * Signs in with a passkey, or creates one with `action: "register"`. Call it from a click handler, because browsers require a
 * user gesture.
 *
 * @example
 * ```ts
 * import { signIn } from "@latchkey/solid-start/webauthn"
 *
 * export const register = (email: string) => signIn("passkey", { action: "register", email })
 * ```
 * @throws TypeError if `provider` isn't a passkey provider; DOMException if the user cancels or the browser refuses
 */
export const signIn: SignIn = createSignIn()
