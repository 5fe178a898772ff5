import type { AuthenticationResponse, RegistrationResponse } from "./messages.js"

/** The client data (WebAuthn Level 3 §5.8.1). */
export interface ClientData {
  readonly type: "webauthn.create" | "webauthn.get"
  /** Base64url. */
  readonly challenge: string
  readonly origin: string
  readonly crossOrigin?: boolean
  readonly topOrigin?: string
}

/** A public key in COSE format (RFC 9053). */
export type CoseKey = ReadonlyMap<number, number | Uint8Array>

/** The authenticator data before it's encoded (WebAuthn Level 3 §6.1). */
export interface AuthenticatorData {
  readonly rpId: string
  readonly userPresent: boolean
  readonly userVerified: boolean
  readonly backupEligible: boolean
  readonly backedUp: boolean
  readonly counter: number
  /** The new credential; only in registrations. */
  readonly credential?: { readonly aaguid: Uint8Array; readonly id: Uint8Array; readonly publicKey: CoseKey }
}

/** The attestation statement with its format (WebAuthn Level 3 §6.5.4). `x5c` lists certificates in DER format. */
export interface AttestationStatement {
  readonly format: string
  readonly algorithm?: number
  readonly signature?: Uint8Array
  readonly x5c?: readonly Uint8Array[]
}

/**
 * A fault of the authenticator or the browser. Each function receives the correct value and returns what is used instead.
 * The signature is made after changes to the client data and the authenticator data.
 *
 * @example
 * ```ts
 * import { createAuthenticator } from "@latchkey/testing"
 * const authenticator = createAuthenticator()
 * authenticator.inject({ clientData: (data) => ({ ...data, origin: "https://evil.test" }) })
 * ```
 */
export interface AuthenticatorFault {
  /** Changes the client data. */
  clientData?(data: ClientData): object
  /** Changes the client data as text. */
  clientDataJSON?(text: string): string
  /** Changes the authenticator data. */
  authenticatorData?(data: AuthenticatorData): AuthenticatorData
  /** Changes the encoded authenticator data. */
  authenticatorBytes?(bytes: Uint8Array): Uint8Array
  /** Changes the signature of an authentication or of an attestation. */
  signature?(bytes: Uint8Array): Uint8Array
  /** Changes the attestation statement. */
  attestation?(statement: AttestationStatement, root: () => Promise<Uint8Array>): Promise<AttestationStatement>
  /** Changes the encoded attestation object. */
  attestationBytes?(bytes: Uint8Array): Uint8Array
  /** Changes the response of a registration. */
  registration?(response: RegistrationResponse): RegistrationResponse
  /** Changes the response of an authentication. */
  authentication?(response: AuthenticationResponse): AuthenticationResponse
}
