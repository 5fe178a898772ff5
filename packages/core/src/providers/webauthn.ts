import { loadPasskeyLibrary } from "#passkey-library"
import type { SemverString } from "../model/pages.js"
import { installedLibrary } from "../model/symbols.js"
import type { GetUserInfo, RelayingParty, SimpleWebAuthn, WebAuthnConfig } from "../model/webauthn-provider.js"
import { getRelayingParty, getUserInfo } from "../provider-kit/passkey-config.js"

export type { GetUserInfo, RelayingParty, SimpleWebAuthn, WebAuthnConfig }
export type WebAuthnProviderType = "webauthn"

/** Milliseconds that the browser waits for the user. */
export const DEFAULT_WEBAUTHN_TIMEOUT: number = 300_000
export const DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION: SemverString = "v9.0.1"

/**
 * Sign in with a security key or a passkey, which may need the user's email first. For passkeys that sign in without an
 * email, use `providers/passkey`.
 *
 * 1. Install `@simplewebauthn/server` 14. It's loaded on first use.
 * 2. Set `experimental.enableWebAuthn: true`, and an adapter with the methods for authenticators.
 *
 * @throws AuthError on first use, if the package isn't installed
 * @example
 * ```ts
 * import WebAuthn from "@latchkey/core/providers/webauthn"
 * export const provider = WebAuthn({ relayingParty: { name: "Acme" } })
 * ```
 * @see https://www.w3.org/TR/webauthn-3/
 */
export default function WebAuthn<const Id extends string = "webauthn">(
  config: Partial<WebAuthnConfig> & { readonly id?: Id | undefined } = {},
): WebAuthnConfig & { readonly id: Id } {
  return {
    // An id in the options replaces it.
    id: "webauthn" as Id,
    name: "WebAuthn",
    type: "webauthn",
    enableConditionalUI: true,
    simpleWebAuthnBrowserVersion: DEFAULT_SIMPLEWEBAUTHN_BROWSER_VERSION,
    authenticationOptions: { timeout: DEFAULT_WEBAUTHN_TIMEOUT },
    registrationOptions: { timeout: DEFAULT_WEBAUTHN_TIMEOUT },
    getRelayingParty,
    getUserInfo,
    formFields: { email: { label: "Email", required: true, autocomplete: "username webauthn" } },
    simpleWebAuthn: installed,
    ...config,
  }
}

/** The library has 89 kB, gzipped. It loads on the first ceremony, not with the configuration. */
const installed: SimpleWebAuthn & { readonly [installedLibrary]: () => Promise<object> } = {
  [installedLibrary]: async () => loadPasskeyLibrary(),
  generateAuthenticationOptions: async (options) => (await loadPasskeyLibrary()).generateAuthenticationOptions(options),
  generateRegistrationOptions: async (options) => (await loadPasskeyLibrary()).generateRegistrationOptions(options),
  verifyAuthenticationResponse: async (options) => (await loadPasskeyLibrary()).verifyAuthenticationResponse(options),
  verifyRegistrationResponse: async (options) => (await loadPasskeyLibrary()).verifyRegistrationResponse(options),
}
