import type { WebAuthnConfig } from "../../model/webauthn-provider.js"

/**
 * EdDSA, ES256 and RS256 (RFC 9053, RFC 8812), which every version of the library verifies on every runtime. Newer versions add ML-DSA
 * where Node has it, and browsers may prefer it. Then a passkey wouldn't work on other runtimes, or with Auth.js after rolling back.
 */
const everywhere: readonly number[] = [-8, -7, -257]

/** The COSE algorithms of new passkeys, the preferred one first. */
export function algorithmsOf({ registrationOptions }: Pick<WebAuthnConfig, "registrationOptions">): number[] {
  return [...(registrationOptions?.supportedAlgorithmIDs ?? everywhere)]
}
