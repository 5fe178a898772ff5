/** Where an authenticator can be reached, such as `"usb"`, `"internal"` or `"hybrid"`. */
export type Transport = "ble" | "cable" | "hybrid" | "internal" | "nfc" | "smart-card" | "usb"

interface CredentialDescriptor {
  readonly id: string
}

/** The creation options as a server sends them: `PublicKeyCredentialCreationOptionsJSON`. */
export interface CreationOptions {
  readonly rp: { readonly id?: string | undefined; readonly name: string }
  /** `id` is base64url. */
  readonly user: { readonly id: string; readonly name: string; readonly displayName: string }
  /** Base64url. */
  readonly challenge: string
  readonly pubKeyCredParams: readonly { readonly alg: number }[]
  readonly excludeCredentials?: readonly CredentialDescriptor[] | undefined
  readonly authenticatorSelection?: {
    readonly residentKey?: string | undefined
    readonly requireResidentKey?: boolean | undefined
    readonly userVerification?: string | undefined
  }
}

/** The request options as a server sends them: `PublicKeyCredentialRequestOptionsJSON`. */
export interface RequestOptions {
  /** Base64url. */
  readonly challenge: string
  readonly rpId?: string | undefined
  readonly allowCredentials?: readonly CredentialDescriptor[] | undefined
  readonly userVerification?: string | undefined
}

/** What both responses have in common. */
export interface CredentialResponse {
  /** ID of the credential, base64url. */
  id: string
  rawId: string
  type: "public-key"
  authenticatorAttachment: "platform" | "cross-platform"
  clientExtensionResults: Record<string, never>
}

/** `RegistrationResponseJSON` of WebAuthn. All binary values are base64url. */
export interface RegistrationResponse extends CredentialResponse {
  response: {
    clientDataJSON: string
    attestationObject: string
    authenticatorData: string
    transports: Transport[]
    publicKeyAlgorithm: number
    publicKey: string
  }
}

/** `AuthenticationResponseJSON` of WebAuthn. All binary values are base64url. */
export interface AuthenticationResponse extends CredentialResponse {
  response: {
    clientDataJSON: string
    authenticatorData: string
    signature: string
    userHandle?: string
  }
}
