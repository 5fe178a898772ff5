import type { Adapter } from "./adapter.js"
import type { CommonProvider, CommonResolvedProvider, ProviderStyle } from "./provider.js"
import type { Awaitable, User } from "./user.js"

/** One field of the built-in form: its label and the attributes of its `<input>`. */
export interface CredentialInput {
  readonly label?: string | undefined
  readonly type?: string | undefined
  readonly value?: string | undefined
  readonly placeholder?: string | undefined
  readonly [attribute: string]: unknown
}

export interface CredentialsConfig<
  C extends Readonly<Record<string, CredentialInput>> = Readonly<Record<string, CredentialInput>>,
> extends CommonProvider {
  readonly type: "credentials"
  /** Fields of the form by name. */
  readonly credentials: C
  /** Returns the user, or `null` if the credentials are wrong. Throw `CredentialsSignin` to choose the error code. */
  authorize(credentials: Partial<Record<keyof C, unknown>>, request: Request): Awaitable<User | null>
  /**
   * Returns the account that an attempt is for, which rate limits count by. Case, accents and spaces are ignored.
   * @default the fields with a common name such as `username` or `email`, else the first one that isn't a password
   */
  identifier?(credentials: Readonly<Record<string, unknown>>): string | undefined
  readonly style?: ProviderStyle | undefined
  readonly options?: unknown
}

/** A credentials provider once the configuration is compiled. */
export interface CredentialsProvider extends CommonResolvedProvider {
  readonly type: "credentials"
  readonly credentials: Readonly<Record<string, CredentialInput>>
  readonly authorize: (credentials: Record<string, unknown>, request: Request) => Awaitable<User | null>
  readonly identifier: CredentialsConfig["identifier"]
}

/** The site that a passkey belongs to (WebAuthn Level 3 §4). */
export interface RelayingParty {
  /** A domain. */
  readonly id: string
  readonly name: string
  readonly origin: string
}

/** The part of a request that {@link GetUserInfo} reads. */
interface PasskeyRequest {
  readonly url: URL
  readonly method: string
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

/** A passkey provider. Experimental: set `experimental.enableWebAuthn`. */
export interface WebAuthnConfig extends CommonProvider {
  readonly type: "webauthn"
  /** Offers passkeys in the browser's autofill. At most one provider can. */
  readonly enableConditionalUI?: boolean | undefined
  /** Version of `@simplewebauthn/browser` that the page loads, such as `"v9.0.1"`. `false`: none. */
  readonly simpleWebAuthnBrowserVersion?: string | false | undefined
  readonly formFields?: Readonly<Record<string, CredentialInput>> | undefined
  readonly relayingParty?: { readonly [K in keyof RelayingParty]?: string | readonly string[] } | undefined
  /** @default the origin of the request */
  getRelayingParty?(options: PasskeyOptions, request: PasskeyRequest): RelayingParty
  readonly getUserInfo?: GetUserInfo | undefined
  readonly style?: ProviderStyle | undefined
  readonly options?: unknown
  readonly [option: string]: unknown
}

/** A passkey provider once the configuration is compiled. */
export interface WebAuthnProvider extends CommonResolvedProvider {
  readonly type: "webauthn"
  readonly formFields: Readonly<Record<string, CredentialInput>> | undefined
  readonly config: WebAuthnConfig
}
