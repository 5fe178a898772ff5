import type {
  AccountCallback,
  ClientMetadata,
  CredentialInput,
  Fetch,
  OAuthCommon,
  ProfileCallback,
  ProviderStyle,
  RawProfile,
  TokenEndpoint,
  UserinfoEndpoint,
  VerificationRequest,
  WebAuthnConfig,
} from "./provider.js"
import type { Method } from "./signin.js"
import type { Awaitable, User } from "./user.js"

/** What every provider has once the configuration is compiled. */
interface Common {
  readonly id: string
  readonly name: string
  readonly style: ProviderStyle
  /** How this provider is spoken to; loaded on first use. */
  readonly method: () => Promise<Method>
}

export interface OAuthEndpoint {
  readonly url: URL | undefined
  /** Already text; absent values are left out. */
  readonly params: Readonly<Record<string, string>>
}

export interface OAuthProvider extends Common {
  readonly type: "oauth" | "oidc"
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly issuer: string | undefined
  readonly wellKnown: string | undefined
  readonly authorization: OAuthEndpoint
  readonly token: OAuthEndpoint & Pick<TokenEndpoint, "body" | "request" | "conform" | "clientPrivateKey">
  readonly userinfo: OAuthEndpoint & Pick<UserinfoEndpoint, "request">
  readonly jwksEndpoint: string | undefined
  readonly codeChallengeMethod: "S256" | "plain"
  readonly checks: ReadonlySet<"pkce" | "state" | "nonce">
  /** `state` may be missing on return: an own `checks` list leaves it out. */
  readonly stateOptional: boolean
  readonly client: ClientMetadata
  readonly profile: ProfileCallback<RawProfile>
  readonly account: AccountCallback
  readonly emailLinking: "never" | "verified" | "dangerous"
  /** Up to and including the base path, or `undefined`. */
  readonly redirectProxyUrl: string | undefined
  readonly userinfoAsProfile: boolean
  readonly allowInsecureRequests: boolean
  readonly reachesLoopback: boolean
  readonly makeClientSecret: OAuthCommon["makeClientSecret"]
  readonly deprecated: string | undefined
  readonly issuerFor: ((claims: RawProfile, issuer: string) => string) | undefined
  readonly mergeCallback: ((profile: RawProfile, params: Readonly<Record<string, string>>) => RawProfile) | undefined
  readonly fetch: Fetch
}

export interface EmailProvider extends Common {
  readonly type: "email"
  readonly from: string | undefined
  /** Seconds. */
  readonly maxAge: number
  readonly secret: string | undefined
  readonly apiKey: string | undefined
  readonly server: unknown
  /** Whether messages carry a code too. */
  readonly code: boolean
  readonly fetch: Fetch
  readonly sendVerificationRequest: (params: VerificationRequest) => Awaitable<void>
  readonly generateVerificationToken: (() => Awaitable<string>) | undefined
  readonly normalizeIdentifier: ((identifier: string) => string) | undefined
}

export interface CredentialsProvider extends Common {
  readonly type: "credentials"
  readonly credentials: Readonly<Record<string, CredentialInput>>
  readonly authorize: (credentials: Record<string, unknown>, request: Request) => Awaitable<User | null>
  readonly identifier: ((credentials: Readonly<Record<string, unknown>>) => string | undefined) | undefined
}

export interface OtherProvider extends Common {
  readonly type: "webauthn"
  readonly formFields: Readonly<Record<string, CredentialInput>> | undefined
  readonly config: WebAuthnConfig
}

/** A provider as the engine sees it. */
export type ResolvedProvider = OAuthProvider | EmailProvider | CredentialsProvider | OtherProvider
