import type { WebAuthnConfig } from "../model/credentials-provider.js"
import WebAuthn, { DEFAULT_WEBAUTHN_TIMEOUT } from "./webauthn.js"

/**
 * A WebAuthn provider with options for passkeys. Sign-in with passkeys isn't available yet; see
 * `@latchkey/core/providers/webauthn`.
 *
 * @example
 * ```ts
 * import Passkey from "@latchkey/core/providers/passkey"
 * export const provider = Passkey({ formFields: { email: { label: "Email", autocomplete: "username webauthn" } } })
 * ```
 * @see https://www.w3.org/TR/webauthn-3/
 */
export default function Passkey(config: Partial<WebAuthnConfig> = {}): WebAuthnConfig {
  return WebAuthn({
    id: "passkey",
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
