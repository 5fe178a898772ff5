import { type AuthClientOptions, createAuthClient, type SignIn } from "@latchkey/client"
import { signIn as signInWith } from "@latchkey/client/webauthn"
import { base } from "./base.js"

/**
 * Creates {@link signIn} for auth routes at another base path than `/auth`.
 *
 * @example
 * ```ts
 * import { createSignIn } from "@latchkey/sveltekit/webauthn"
 *
 * const signIn = createSignIn({ basePath: "/api/auth" })
 * export const register = (email: string) => signIn("passkey", { action: "register", email })
 * ```
 */
export function createSignIn(options: Pick<AuthClientOptions, "basePath" | "baseUrl"> = {}): SignIn {
  const client = createAuthClient({ basePath: `${base}/auth`, ...options })
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
 * import { signIn } from "@latchkey/sveltekit/webauthn"
 *
 * export const register = (email: string) => signIn("passkey", { action: "register", email })
 * ```
 * @throws TypeError if `provider` isn't a passkey provider; DOMException if the user cancels or the browser refuses
 */
export const signIn: SignIn = createSignIn()
