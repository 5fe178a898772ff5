import type { WebAuthnConfig } from "../model/webauthn-provider.js"
import WebAuthn, { DEFAULT_WEBAUTHN_TIMEOUT } from "./webauthn.js"

/**
 * Sign in with a passkey: the user picks it in the browser, without an email or password. The authenticator checks the user.
 *
 * 1. Install `@simplewebauthn/server` 14. It's loaded on first use.
 * 2. Set `experimental.enableWebAuthn: true`, and an adapter with the methods for authenticators.
 *
 * @throws AuthError on first use, if the package isn't installed
 * @example
 * ```ts
 * import Passkey from "@latchkey/core/providers/passkey"
 * export const provider = Passkey({ relayingParty: { name: "Acme" } })
 * ```
 * @see https://www.w3.org/TR/webauthn-3/
 */
export default function Passkey<const Id extends string = "passkey">(
  config: Partial<WebAuthnConfig> & { readonly id?: Id | undefined } = {},
): WebAuthnConfig & { readonly id: Id } {
  return WebAuthn({
    // An id in the options replaces it.
    id: "passkey" as Id,
    name: "Passkey",
    authenticationOptions: { timeout: DEFAULT_WEBAUTHN_TIMEOUT, userVerification: "required" },
    registrationOptions: {
      timeout: DEFAULT_WEBAUTHN_TIMEOUT,
      authenticatorSelection: { residentKey: "required", userVerification: "required" },
    },
    verifyAuthenticationOptions: { requireUserVerification: true },
    verifyRegistrationOptions: { requireUserVerification: true },
    ...config,
  })
}
