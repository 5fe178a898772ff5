import type { AuthenticatorFault } from "./fault.js"
import type {
  AuthenticationResponse,
  CreationOptions,
  RegistrationResponse,
  RequestOptions,
  Transport,
} from "./messages.js"

/** The signature algorithm of the credentials. */
export type CredentialAlgorithm = "ES256" | "EdDSA" | "RS256"

/** Options of `createAuthenticator`. */
export interface AuthenticatorOptions {
  /** Origin of the page that uses the authenticator. The methods of the browser use its own. @default "https://app.test" */
  readonly origin?: string
  /** RP IDs that list the origin as related (WebAuthn Level 3 §5.11). @default none */
  readonly relatedRpIds?: readonly string[]
  /** @default "ES256" */
  readonly algorithm?: CredentialAlgorithm
  /**
   * What attests the key of a new credential: nothing, the credential itself (packed self attestation), or a certificate
   * of the manufacturer (packed, with `x5c`). @default "none"
   */
  readonly attestation?: "none" | "self" | "certificate"
  /** Whether it can store discoverable credentials. @default true */
  readonly residentKeys?: boolean
  /** Whether it verifies the user, with a PIN or a fingerprint. @default true */
  readonly userVerification?: boolean
  /** Whether its credentials can be backed up, and whether they are. @default "ineligible" */
  readonly backup?: "ineligible" | "eligible" | "done"
  /** Whether it counts signatures. If not, the counter is always 0. @default true */
  readonly counter?: boolean
  /** @default ["internal", "hybrid"] */
  readonly transports?: readonly Transport[]
  /** Faults from the start. To add or remove them later, use `authenticator.inject`. */
  readonly faults?: AuthenticatorFault | readonly AuthenticatorFault[]
}

/** A credential of the authenticator. */
export interface StoredCredential {
  /** Base64url. */
  readonly id: string
  readonly rpId: string
  /** The user handle, base64url. */
  readonly userId: string
  readonly userName: string
  /** Whether the credential is discoverable. */
  readonly resident: boolean
  /** Number of signatures, the registration included; 0 if the authenticator doesn't count. */
  readonly counter: number
}

/** Where the page is, and what the user chooses there. */
export interface CeremonyOptions {
  /** @default the origin of the authenticator */
  readonly origin?: string | undefined
  /** ID of the credential that the user chooses. @default the newest that fits */
  readonly credential?: string | undefined
}

/** A software authenticator; see `createAuthenticator`. */
export interface Authenticator {
  /** The credentials, oldest first. */
  readonly credentials: readonly StoredCredential[]
  /**
   * Creates a credential, as `navigator.credentials.create` does.
   * @throws DOMException where a browser rejects the options
   */
  create(options: CreationOptions, ceremony?: CeremonyOptions): Promise<RegistrationResponse>
  /**
   * Signs a challenge, as `navigator.credentials.get` does.
   * @throws DOMException where a browser rejects the options, or if no credential fits
   */
  get(options: RequestOptions, ceremony?: CeremonyOptions): Promise<AuthenticationResponse>
  /** Adds faults, which apply in this order. Returns a function that removes them. */
  inject(...faults: readonly AuthenticatorFault[]): () => void
  /** Copies the authenticator with its keys and counters. The copy doesn't have the faults. You can change its options. */
  clone(changes?: AuthenticatorOptions): Authenticator
  /** The certificate of the manufacturer as PEM. It signs the certificates of `attestation: "certificate"`. */
  rootCertificate(): Promise<string>
}
