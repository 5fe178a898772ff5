import type { Adapter } from "./adapter.js"
import type { CredentialInput } from "./credentials-provider.js"
import type { CommonProvider, CommonResolvedProvider, ProviderStyle } from "./provider.js"
import type { User } from "./user.js"

/** The site that a passkey belongs to (WebAuthn Level 3 §4). */
export interface RelayingParty {
  /** A domain: that of the site, or a parent of it. */
  readonly id: string
  readonly name: string
  readonly origin: string
}

/** The part of a request that {@link GetUserInfo} and `getRelayingParty` read. */
interface PasskeyRequest {
  readonly url: URL
  readonly method: string
  /** By lowercase name. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly cookies?: Readonly<Record<string, string>> | undefined
  readonly body?: Readonly<Record<string, unknown>> | undefined
  readonly query?: Readonly<Record<string, unknown>> | undefined
}

/** The configuration of the request, as `getRelayingParty` and `getUserInfo` receive it. */
interface PasskeyOptions {
  readonly url: URL
  readonly provider: WebAuthnConfig
  readonly adapter?: Adapter | undefined
}

/** Finds the user that a request names. `null`: the request doesn't say enough to create a user. */
export type GetUserInfo = (
  options: PasskeyOptions,
  request: PasskeyRequest,
) => Promise<
  { readonly user: User; readonly exists: true } | { readonly user: Omit<User, "id">; readonly exists: false } | null
>

/** Whether the authenticator must check the user, for example with a fingerprint or a PIN. */
export type UserVerification = "required" | "preferred" | "discouraged"

/** Options of `generateAuthenticationOptions` of `@simplewebauthn/server`. */
export interface AuthenticationOptions {
  /** Milliseconds. @default 300000 */
  readonly timeout?: number | undefined
  /** @default "required", which is then verified */
  readonly userVerification?: UserVerification | undefined
  readonly [option: string]: unknown
}

/** Options of `generateRegistrationOptions` of `@simplewebauthn/server`. */
export interface RegistrationOptions {
  /** Milliseconds. @default 300000 */
  readonly timeout?: number | undefined
  readonly attestationType?: "none" | "direct" | "enterprise" | undefined
  readonly authenticatorSelection?:
    | {
        readonly authenticatorAttachment?: "platform" | "cross-platform" | undefined
        readonly requireResidentKey?: boolean | undefined
        /** `"required"`: the passkey can sign in without an email, and the browser offers it by itself. */
        readonly residentKey?: "required" | "preferred" | "discouraged" | undefined
        /** @default "required", which is then verified */
        readonly userVerification?: UserVerification | undefined
      }
    | undefined
  /** COSE algorithms (RFC 9053), the preferred one first. @default [-8, -7, -257]: EdDSA, ES256, RS256 */
  readonly supportedAlgorithmIDs?: readonly number[] | undefined
  readonly [option: string]: unknown
}

/** Options of `verifyAuthenticationResponse` and `verifyRegistrationResponse` of `@simplewebauthn/server`. */
export interface VerificationOptions {
  /** @default true, unless `userVerification` is another value than `"required"` */
  readonly requireUserVerification?: boolean | undefined
  readonly [option: string]: unknown
}

/** A passkey provider. Experimental: set `experimental.enableWebAuthn`. */
export interface WebAuthnConfig extends CommonProvider {
  readonly type: "webauthn"
  /** Offers passkeys in the browser's autofill. At most one provider can. @default true */
  readonly enableConditionalUI?: boolean | undefined
  /** Ignored: the script of the built-in page is part of this package. */
  readonly simpleWebAuthnBrowserVersion?: string | false | undefined
  /** The fields of the form on the built-in page. Without them, the page has no form for this provider. */
  readonly formFields?: Readonly<Record<string, CredentialInput>> | undefined
  /**
   * The site that passkeys belong to. Passkeys are verified for every listed origin (related origins, WebAuthn Level 3
   * §5.11); of `id` and `name`, the first counts. Don't change `id` later: existing passkeys belong to it.
   *
   * @default the host and origin of the request
   */
  readonly relayingParty?: { readonly [K in keyof RelayingParty]?: string | readonly string[] } | undefined
  /** Replaces `relayingParty`, for example for several tenants. */
  getRelayingParty?(options: PasskeyOptions, request: PasskeyRequest): RelayingParty
  /** @default the user with the `email` of the query */
  readonly getUserInfo?: GetUserInfo | undefined
  readonly authenticationOptions?: AuthenticationOptions | undefined
  readonly registrationOptions?: RegistrationOptions | undefined
  readonly verifyAuthenticationOptions?: VerificationOptions | undefined
  readonly verifyRegistrationOptions?: VerificationOptions | undefined
  /** The functions of `@simplewebauthn/server`. @default the installed package, loaded on first use */
  readonly simpleWebAuthn?: SimpleWebAuthn | undefined
  readonly style?: ProviderStyle | undefined
  readonly options?: unknown
  readonly [option: string]: unknown
}

type LibraryFunction = (options: never) => Promise<object>

/** The functions of `@simplewebauthn/server` that a sign-in calls. */
export interface SimpleWebAuthn {
  readonly generateAuthenticationOptions: LibraryFunction
  readonly generateRegistrationOptions: LibraryFunction
  readonly verifyAuthenticationResponse: LibraryFunction
  readonly verifyRegistrationResponse: LibraryFunction
}

/** A passkey provider once the configuration is compiled. */
export interface WebAuthnProvider extends CommonResolvedProvider {
  readonly type: "webauthn"
  readonly formFields: Readonly<Record<string, CredentialInput>> | undefined
  readonly config: WebAuthnConfig
}
