"use client"

import type { SignIn } from "@latchkey/client"
import { signIn as signInWith } from "@latchkey/client/webauthn"
import { currentClient } from "./clients.js"

/**
 * Signs in with a passkey, or registers one: which of the two, the server says, unless the field `action` does. Call it
 * from a click.
 *
 * @example
 * ```ts
 * import { signIn } from "@latchkey/react/webauthn"
 *
 * export const register = (email: string) => signIn("passkey", { action: "register", email })
 * ```
 * @throws TypeError if the provider is no passkey provider; DOMException when the person or the browser refuses
 */
// Which of the overloads holds is decided by `redirect`.
export const signIn: SignIn = (async (provider, options, authorizationParams) =>
  signInWith(currentClient(), provider, { ...options }, authorizationParams)) as SignIn
