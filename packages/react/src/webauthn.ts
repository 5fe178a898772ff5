"use client"

import type { SignIn } from "@latchkey/client"
import { signIn as signInWith } from "@latchkey/client/webauthn"
import { currentClient } from "./current-client.js"

/**
 * Signs in with a passkey or registers one. The server chooses, unless you set the `action` field to `"authenticate"` or
 * `"register"`. Call it from a click handler, because browsers require a user gesture.
 *
 * @example
 * ```ts
 * import { signIn } from "@latchkey/react/webauthn"
 *
 * export const register = (email: string) => signIn("passkey", { action: "register", email })
 * ```
 * @throws TypeError if `provider` isn't a passkey provider; DOMException if the user cancels or the browser refuses
 */
// `redirect` decides which overload applies.
export const signIn: SignIn = (async (provider, options, authorizationParams) =>
  signInWith(currentClient(), provider, { ...options }, authorizationParams)) as SignIn
