"use client"

import type { SignInAuthorizationParams, SignInResponse } from "@latchkey/client"
import { type PasskeySignInOptions, signIn as signInWith } from "@latchkey/client/webauthn"
import { currentClient } from "./current-client.js"

export type { PasskeySignInOptions }

/** The type of {@link signIn}. */
export interface SignInWithPasskey {
  (provider?: string, options?: PasskeySignInOptions, authorizationParams?: SignInAuthorizationParams): Promise<void>
  (
    provider: string | undefined,
    options: PasskeySignInOptions<false>,
    authorizationParams?: SignInAuthorizationParams,
  ): Promise<SignInResponse>
  (
    provider: string | undefined,
    options: PasskeySignInOptions<boolean>,
    authorizationParams?: SignInAuthorizationParams,
  ): Promise<SignInResponse | undefined>
}

/**
 * Signs in with a passkey or creates one. Call it from a click handler, because browsers require a user gesture.
 *
 * If the server refuses before the browser asks the user, it stays on the page. With `redirect: false`, the result then
 * has `error: "RateLimited"` for too many requests, or the `status` 400 for a request that the server doesn't allow.
 *
 * With `useBrowserAutofill`, it doesn't throw an error of the browser. It resolves to `undefined`, or with
 * `redirect: false` to a result whose `error` is the name of the DOMException, such as `AbortError` after another call
 * or `NotSupportedError` in a browser without autofill of passkeys.
 *
 * @example
 * ```ts
 * import { signIn } from "@latchkey/react/webauthn"
 *
 * export const register = (email: string) => signIn("passkey", { action: "register", email })
 * ```
 * @throws TypeError if `provider` isn't a passkey provider; DOMException `NotAllowedError` if the user cancels or no
 * passkey was found, `InvalidStateError` if the device already has a passkey of this user, `AbortError` after another
 * call, `NotSupportedError` if the browser has no WebAuthn
 */
// `redirect` decides which overload applies.
export const signIn: SignInWithPasskey = (async (provider, options, authorizationParams) =>
  signInWith(currentClient(), provider, { ...options }, authorizationParams)) as SignInWithPasskey
