import { AuthError } from "../../errors.js"
import type { WebAuthnProvider } from "../../model/webauthn-provider.js"

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

/** What a verification tells about the authenticator (WebAuthn Level 3 §6.1). */
interface DeviceInfo {
  readonly credentialDeviceType: string
  readonly credentialBackedUp: boolean
}

/** The part of `@simplewebauthn/server` that a sign-in uses. */
export interface Library {
  generateAuthenticationOptions(options: Readonly<Record<string, unknown>>): Promise<object>
  generateRegistrationOptions(options: Readonly<Record<string, unknown>>): Promise<object>
  verifyAuthenticationResponse(
    options: Verification & {
      /** `id` is base64url. */
      readonly credential: { readonly id: string; readonly publicKey: Uint8Array; readonly counter: number }
    },
  ): Promise<{ readonly verified: boolean; readonly authenticationInfo: DeviceInfo & { readonly newCounter: number } }>
  verifyRegistrationResponse(options: Verification): Promise<{
    readonly verified: boolean
    readonly registrationInfo?: DeviceInfo & {
      readonly credential: { readonly id: string; readonly publicKey: Uint8Array; readonly counter: number }
    }
  }>
}

/** @throws AuthError if the provider has no library */
export function libraryOf({ id, config }: WebAuthnProvider): Library {
  const { simpleWebAuthn } = config
  // The types of the library's options are more precise than what is passed through from the configuration.
  if (simpleWebAuthn !== undefined) return simpleWebAuthn as unknown as Library
  throw new AuthError(
    `The provider "${id}" has no \`simpleWebAuthn\` functions. Create it with the function of providers/passkey or providers/webauthn`,
  )
}
