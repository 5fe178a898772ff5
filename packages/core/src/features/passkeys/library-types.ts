export type Action = "register" | "authenticate"

/** A credential in options: its id in base64url. */
export interface Descriptor {
  readonly id: string
  readonly transports?: readonly string[] | undefined
}

export interface Verification {
  readonly response: object
  readonly expectedChallenge: string
  readonly expectedOrigin: readonly string[]
  readonly expectedRPID: string
  readonly requireUserVerification: boolean
  readonly [option: string]: unknown
}

/** Properties of the authenticator in the result of a verification (WebAuthn Level 3 §6.1). */
interface DeviceInfo {
  readonly credentialDeviceType: string
  readonly credentialBackedUp: boolean
  readonly userVerified: boolean
}

/** `id` is base64url. */
interface PublicKeyCredential {
  readonly id: string
  readonly publicKey: Uint8Array
  readonly counter: number
}

export interface RegistrationInfo extends DeviceInfo {
  readonly credential: PublicKeyCredential
  /** The format of the attestation statement, such as `none` or `packed`. */
  readonly fmt: string
}

/** The part of `@simplewebauthn/server` 14 that a sign-in uses. */
export interface Library {
  generateAuthenticationOptions(
    options: Readonly<Record<string, unknown>> & { readonly allowCredentials?: readonly Descriptor[] | undefined },
  ): Promise<object>
  generateRegistrationOptions(
    options: Readonly<Record<string, unknown>> & {
      readonly userID: Uint8Array
      readonly excludeCredentials?: readonly Descriptor[] | undefined
    },
  ): Promise<object>
  verifyAuthenticationResponse(
    options: Verification & { readonly credential: PublicKeyCredential },
  ): Promise<{ readonly verified: boolean; readonly authenticationInfo: DeviceInfo & { readonly newCounter: number } }>
  verifyRegistrationResponse(
    options: Verification,
  ): Promise<{ readonly verified: boolean; readonly registrationInfo?: RegistrationInfo | undefined }>
}
