import type { Theme } from "./config.js"
import type { EmailProvider, OAuthProvider } from "./resolved-provider.js"
import type { Method } from "./signin.js"
import type { customFetch } from "./symbols.js"
import type { Fetch } from "../primitives/runtime.js"
import type { Awaitable, TokenSet, User } from "./user.js"

export type { Fetch }

export type ProviderType = "oidc" | "oauth" | "email" | "credentials" | "webauthn"

/** A Web Crypto key, named without the global type that not every runtime declares. */
export type PrivateKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** A profile as the provider sent it: nothing is known of it. */
export interface RawProfile {
  readonly [claim: string]: unknown
}

export interface ProviderStyle {
  readonly logo?: string | undefined
  readonly brandColor?: string | undefined
  /** @deprecated use `brandColor` */
  readonly bg?: string | undefined
  /** @deprecated */
  readonly text?: string | undefined
}

interface CommonProvider {
  /** In URLs and in stored accounts: letters, digits, `-`, `_`, `.`; unique in the configuration. */
  readonly id: string
  /** On the built-in sign-in page. */
  readonly name: string
}

/** The resolved provider together with the two addresses of this deployment. */
export type ProviderContext = OAuthProvider & { readonly signinUrl: string; readonly callbackUrl: string }

export type EndpointParams = Readonly<Record<string, unknown>>

export interface AuthorizationEndpoint {
  readonly url?: string | URL | undefined
  /** Query parameters; `claims` may be an object and is sent as JSON. */
  readonly params?: EndpointParams | undefined
}

/** What a `token.request` gets besides the callback's parameters. */
export interface TokenRequestChecks {
  readonly code_verifier?: string
  readonly state?: string
  readonly nonce?: string
  readonly redirect_uri: string
}

export interface TokenEndpoint {
  readonly url?: string | URL | undefined
  /** Added to the query. */
  readonly params?: EndpointParams | undefined
  /** Further fields of the form that is sent, or other values for the usual ones; `undefined` takes a field away. */
  body?(callback: Readonly<Record<string, string>>): Readonly<Record<string, string | undefined>>
  /** Replaces the whole token request. */
  request?(context: {
    readonly params: Readonly<Record<string, string>>
    readonly checks: TokenRequestChecks
    readonly provider: ProviderContext
  }): Awaitable<{ tokens: TokenSet }>
  /** Gets a clone of the answer and may return another one to be read instead. */
  conform?(response: Response): Awaitable<Response | undefined>
  /** Signs client assertions under `private_key_jwt`. */
  readonly clientPrivateKey?: PrivateKey | { readonly key: PrivateKey; readonly kid: string } | undefined
}

export interface UserinfoEndpoint {
  readonly url?: string | URL | undefined
  readonly params?: EndpointParams | undefined
  /** Replaces the whole userinfo request. */
  request?(context: { readonly tokens: TokenSet; readonly provider: ProviderContext }): Awaitable<unknown>
}

/** What a `profile` gets in a sign-in: its `fetch` keeps the rules for requests to providers. */
export interface ProfileContext {
  readonly fetch: Fetch
}

export type ProfileCallback<P> = (profile: P, tokens: TokenSet, context?: ProfileContext) => Awaitable<User>
export type AccountCallback = (tokens: TokenSet) => TokenSet | undefined | void

/** Client metadata (RFC 7591 §2) that changes how requests are made and answers are checked. */
export interface ClientMetadata {
  readonly token_endpoint_auth_method?:
    | "client_secret_basic"
    | "client_secret_post"
    | "client_secret_jwt"
    | "private_key_jwt"
    | "none"
    | undefined
  readonly id_token_signed_response_alg?: string | undefined
  readonly userinfo_signed_response_alg?: string | undefined
  readonly default_max_age?: number | undefined
  readonly require_auth_time?: boolean | undefined
  /** Seconds that may lie between `iat` and now. @default 600 */
  readonly id_token_max_age?: number | undefined
  /** RFC 9207 §3: every answer names its issuer. */
  readonly authorization_response_iss_parameter_supported?: boolean | undefined
  readonly [metadata: string]: unknown
}

export type Check = "pkce" | "state" | "nonce" | "none"

/** What an OAuth 2 and an OpenID Connect provider have in common. `P` is the raw profile. */
export interface OAuthCommon<P = RawProfile> extends CommonProvider {
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  /** Base of discovery, and the `iss` that is expected. */
  readonly issuer?: string | undefined
  /** Address of the discovery document where it is not below the issuer. */
  readonly wellKnown?: string | undefined
  readonly authorization?: string | AuthorizationEndpoint | undefined
  readonly token?: string | TokenEndpoint | undefined
  readonly userinfo?: string | UserinfoEndpoint | undefined
  readonly jwks_endpoint?: string | undefined
  /** RFC 7636 §4.2. `"plain"` only for a service that knows nothing else. @default "S256" */
  readonly codeChallengeMethod?: "S256" | "plain" | undefined
  /** Default `["pkce"]`. `state` is always sent; leaving it out of an own list makes it optional on return. */
  readonly checks?: readonly Check[] | undefined
  readonly client?: ClientMetadata | undefined
  profile?(profile: P, tokens: TokenSet, context?: ProfileContext): Awaitable<User>
  account?(tokens: TokenSet): TokenSet | undefined | void
  /** Whose word on an e-mail address is enough to sign in to an existing user. Default: nobody's. */
  readonly allowDangerousEmailAccountLinking?: boolean | undefined
  /** `"verified"`: link when the provider says the address is verified and the stored one is verified too. */
  readonly allowEmailAccountLinking?: "verified" | undefined
  readonly redirectProxyUrl?: string | undefined
  readonly style?: ProviderStyle | undefined
  /** Addresses of this provider may be plain `http:` on any host. Only for networks you trust. */
  readonly allowInsecureRequests?: boolean | undefined
  /** The issuer to expect for the claims of this ID token (multi-tenant issuers). */
  issuerFor?(claims: RawProfile, issuer: string): string
  /** Makes the client secret where none is given, for a service that wants a new one from time to time. */
  makeClientSecret?(context: { readonly clientId: string; readonly now: number }): Awaitable<string>
  /** Why this service can no longer be relied on, and what to use instead: a warning for each configuration. */
  readonly deprecated?: string | undefined
  /** Merges parameters of the callback into the raw profile (Apple's `user`). */
  mergeCallback?(profile: RawProfile, params: Readonly<Record<string, string>>): RawProfile
  readonly [customFetch]?: Fetch | undefined
  /** @internal what the developer gave; takes precedence over the provider's own values */
  readonly options?: OAuthUserConfig<P> | undefined
}

export interface OAuth2Config<P = RawProfile> extends OAuthCommon<P> {
  readonly type: "oauth"
}

export interface OIDCConfig<P = RawProfile> extends OAuthCommon<P> {
  readonly type: "oidc"
  /** `false`: the profile is the userinfo answer; the ID token is still required and checked. */
  readonly idToken?: boolean | undefined
}

export type OAuthConfig<P = RawProfile> = OIDCConfig<P> | OAuth2Config<P>
export type OAuthUserConfig<P = RawProfile> = Partial<Omit<OAuthCommon<P>, "options">> & { readonly idToken?: boolean }
export type OIDCUserConfig<P = RawProfile> = OAuthUserConfig<P>

export interface VerificationRequest {
  /** The canonical address. */
  readonly identifier: string
  readonly url: string
  readonly expires: Date
  readonly token: string
  /**
   * Six digits for typing into the page that asked, which stand for the link in that browser for ten minutes at most;
   * the token itself where it is as short as a code. `undefined`: switched off.
   */
  readonly code?: string | undefined
  readonly provider: EmailProvider
  readonly theme: Theme
  /** The request that asked for the link. */
  readonly request: Request
}

export interface EmailConfig extends CommonProvider {
  readonly type: "email"
  readonly from?: string | undefined
  /** Lifetime of a link in seconds. Default 86 400; 900 under `security: "strict"`. */
  readonly maxAge?: number | undefined
  sendVerificationRequest(params: VerificationRequest): Awaitable<void>
  readonly secret?: string | undefined
  readonly apiKey?: string | undefined
  readonly server?: unknown
  /** Whether messages also carry a code for typing where the link was asked for. @default true */
  readonly code?: boolean | undefined
  /** Default: 32 random bytes as 64 hexadecimal digits. */
  generateVerificationToken?(): Awaitable<string>
  /** Turns what was typed into the canonical address; throws to refuse it. */
  normalizeIdentifier?(identifier: string): string
  readonly style?: ProviderStyle | undefined
  /** The transport of requests to the service, where messages are sent by HTTP. @default `fetch` */
  readonly [customFetch]?: Fetch | undefined
  readonly options?: EmailUserConfig | undefined
}

export type EmailUserConfig = Partial<Omit<EmailConfig, "options" | "type">>

/** One field of the built-in form: the attributes of an `<input>`, and its label. */
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
  readonly credentials: C
  /** The user these credentials belong to, or `null`. May throw `CredentialsSignin`. */
  authorize(credentials: Partial<Record<keyof C, unknown>>, request: Request): Awaitable<User | null>
  /**
   * Whose account these are for, for the limit on attempts; any spelling. @default the fields with a usual name such as
   * `username` or `email`, else the first one that is no password
   */
  identifier?(credentials: Readonly<Record<string, unknown>>): string | undefined
  readonly style?: ProviderStyle | undefined
  readonly options?: unknown
}

export interface WebAuthnConfig extends CommonProvider {
  readonly type: "webauthn"
  readonly enableConditionalUI?: boolean | undefined
  readonly simpleWebAuthnBrowserVersion?: string | false | undefined
  readonly formFields?: Readonly<Record<string, CredentialInput>> | undefined
  readonly style?: ProviderStyle | undefined
  readonly options?: unknown
  readonly [option: string]: unknown
}

/** A provider may bring the way it is spoken to. @internal */
export interface WithMethod {
  readonly method?: (() => Promise<Method>) | undefined
}

export type ProviderConfig = (OIDCConfig | OAuth2Config | EmailConfig | CredentialsConfig | WebAuthnConfig) & WithMethod

/**
 * Any {@link ProfileCallback}, whatever profile it expects. Two signatures with different type parameters give TypeScript
 * nothing to infer from, so that the parameters of a callback written in place are those of the type beside it.
 */
interface AnyProfileCallback {
  <_A>(profile: never, tokens: TokenSet, context?: ProfileContext): Awaitable<User>
  <_A, _B>(profile: never, tokens: TokenSet, context?: ProfileContext): Awaitable<User>
}

/** An OAuth provider as it is given: its raw profile is the author's own affair. */
interface AnyProfile extends WithMethod {
  readonly profile?: ProfileCallback<RawProfile> | AnyProfileCallback | undefined
  readonly options?: object | undefined
}

export interface AnyOAuth2Config extends Omit<OAuth2Config, "profile" | "options">, AnyProfile {}
export interface AnyOIDCConfig extends Omit<OIDCConfig, "profile" | "options">, AnyProfile {}

export type GivenProvider =
  | AnyOAuth2Config
  | AnyOIDCConfig
  | ((EmailConfig | CredentialsConfig | WebAuthnConfig) & WithMethod)

/** An element of `providers`: the provider, or a function that makes it from options. */
export type Provider = GivenProvider | ((...options: never[]) => GivenProvider)
