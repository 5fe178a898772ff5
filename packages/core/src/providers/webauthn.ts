import type { GetUserInfo, RelayingParty, WebAuthnConfig } from "../model/credentials-provider.js"
import type { SemverString } from "../model/pages.js"

export type { GetUserInfo, RelayingParty, WebAuthnConfig }
export type WebAuthnProviderType = "webauthn"

/** Milliseconds that the browser waits for the user. */
export const DEFAULT_WEBAUTHN_TIMEOUT: number = 300_000
export const DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION: SemverString = "v9.0.1"

/**
 * A WebAuthn provider. Sign-in with passkeys isn't available yet, so a configuration with this provider starts and works
 * with its other providers. The built-in page leaves this one out, and a sign-in with it fails. Under
 * `security: "strict"`, the provider is a configuration problem.
 *
 * @example
 * ```ts
 * import WebAuthn from "@latchkey/core/providers/webauthn"
 * export const provider = WebAuthn({ enableConditionalUI: false })
 * ```
 * @see https://www.w3.org/TR/webauthn-3/
 */
export default function WebAuthn(config: Partial<WebAuthnConfig> = {}): WebAuthnConfig {
  return {
    id: "webauthn",
    name: "WebAuthn",
    type: "webauthn",
    enableConditionalUI: true,
    simpleWebAuthnBrowserVersion: DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION,
    authenticationOptions: { timeout: DEFAULT_WEBAUTHN_TIMEOUT },
    registrationOptions: { timeout: DEFAULT_WEBAUTHN_TIMEOUT },
    formFields: { email: { label: "Email", required: true, autocomplete: "username webauthn" } },
    ...config,
  }
}
