import type { UserVerification, VerificationOptions, WebAuthnConfig } from "../../model/webauthn-provider.js"

export interface VerificationPolicy {
  /** What the browser is asked for. */
  readonly asked: UserVerification
  /** Whether a response without user verification is refused. */
  readonly required: boolean
}

/**
 * Asks the browser for what is verified afterwards. Otherwise, a security key without a PIN registers a passkey that never
 * signs in.
 */
function policyOf(asked: UserVerification | undefined, verify: VerificationOptions | undefined): VerificationPolicy {
  const { requireUserVerification: verified } = verify ?? {}
  const required = asked === "required" || verified === true || (asked === undefined && verified === undefined)
  return { asked: required ? "required" : (asked ?? "preferred"), required }
}

export function authenticationPolicy(config: WebAuthnConfig): VerificationPolicy {
  return policyOf(config.authenticationOptions?.userVerification, config.verifyAuthenticationOptions)
}

export function registrationPolicy(config: WebAuthnConfig): VerificationPolicy {
  const { authenticatorSelection } = config.registrationOptions ?? {}
  return policyOf(authenticatorSelection?.userVerification, config.verifyRegistrationOptions)
}
