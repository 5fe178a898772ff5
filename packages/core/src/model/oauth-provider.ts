import type { customFetch } from "./symbols.js"
import type { CommonProvider, CommonResolvedProvider, Fetch, ProviderStyle, RawProfile } from "./provider.js"
import type { Awaitable, TokenSet, User } from "./user.js"

/** A Web Crypto key. Not `CryptoKey`, because not every runtime declares that type globally. */
export type PrivateKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>

/** The compiled provider, with the URLs of this deployment. */
export type ProviderContext = OAuthProvider & { readonly signinUrl: string; readonly callbackUrl: string }

export type EndpointParams = Readonly<Record<string, unknown>>

export interface AuthorizationEndpoint {
  readonly url?: string | URL | undefined
  /** Query parameters. Objects, such as `claims`, are sent as JSON (OpenID Connect Core §5.5). */
  readonly params?: EndpointParams | undefined
  /** Has no effect, as in Auth.js, whose types accept it: the browser sends this request. */
  request?(context: { readonly provider: ProviderContext; readonly [name: string]: unknown }): unknown
  /** Has no effect, for the same reason. */
  conform?(response: Response): unknown
}

/** Values that this sign-in attempt is bound to. Those that weren't used are missing. */
export interface TokenRequestChecks {
  readonly code_verifier?: string
  readonly state?: string
  readonly nonce?: string
  readonly redirect_uri: string
}

export interface TokenEndpoint {
  readonly url?: string | URL | undefined
  /** Query parameters. */
  readonly params?: EndpointParams | undefined
  /**
   * Adds fields to the form of the token request, or replaces them. A field that is `undefined` is removed.
   * `callback` holds the parameters of the callback.
   */
  body?(callback: Readonly<Record<string, string>>): Readonly<Record<string, string | undefined>>
  /** Replaces the whole token request. `params` are the parameters of the callback. */
  request?(context: {
    readonly params: Readonly<Record<string, string>>
    readonly checks: TokenRequestChecks
    readonly provider: ProviderContext
  }): Awaitable<{ tokens: TokenSet }>
  /** Gets a clone of the token response. A response that it returns is read instead of the original. */
  conform?(response: Response): Awaitable<Response | undefined>
  /** Signs client assertions when `token_endpoint_auth_method` is `private_key_jwt` (RFC 7523 §2.2). */
  readonly clientPrivateKey?: PrivateKey | { readonly key: PrivateKey; readonly kid: string } | undefined
}

export interface UserinfoEndpoint {
  readonly url?: string | URL | undefined
  /** Query parameters. */
  readonly params?: EndpointParams | undefined
  /** Replaces the whole userinfo request and returns the profile. */
  request?(context: { readonly tokens: TokenSet; readonly provider: ProviderContext }): Awaitable<unknown>
  /** Has no effect, as in Auth.js, whose types accept it. */
  conform?(response: Response): unknown
}

/** Third argument of `profile`. */
export interface ProfileContext {
  /** `fetch` with the engine's limits on requests to providers: https only, no redirects, bounded time and size. */
  readonly fetch: Fetch
}

export type ProfileCallback<P> = (profile: P, tokens: TokenSet, context?: ProfileContext) => Awaitable<User>
export type AccountCallback = (tokens: TokenSet) => TokenSet | undefined | void

/** Client metadata (RFC 7591 §2) that changes how requests are made and responses are checked. */
export interface ClientMetadata {
  /** @default "client_secret_basic"; "client_secret_post" where the provider's metadata lists only that */
  readonly token_endpoint_auth_method?:
    | "client_secret_basic"
    | "client_secret_post"
    | "client_secret_jwt"
    | "private_key_jwt"
    | "none"
    // Also a variable of type `string`. An unknown method is a configuration error.
    | (string & Record<never, never>)
    | undefined
  /** @default from the provider's metadata, else "RS256" */
  readonly id_token_signed_response_alg?: string | undefined
  readonly userinfo_signed_response_alg?: string | undefined
  /** Seconds since the user last authenticated at the provider, at most. */
  readonly default_max_age?: number | undefined
  readonly require_auth_time?: boolean | undefined
  /** Maximum age of an ID token, in seconds since its `iat`. @default 600 */
  readonly id_token_max_age?: number | undefined
  /** Requires `iss` in every authorization response (RFC 9207 §3). */
  readonly authorization_response_iss_parameter_supported?: boolean | undefined
  readonly [metadata: string]: unknown
}

export type Check = "pkce" | "state" | "nonce" | "none"

/** Of a provider: how to obtain access that lasts, and where to use it. */
export interface ProviderAccess {
  /** Hosts that may get access tokens, such as `"api.example.com"` or `"*.example.com"`. @default that of `userinfo` */
  readonly hosts?: readonly string[] | undefined
  /** Parameters of the authorization request that ask for a refresh token. Sent only with `tokens: vault`. */
  readonly params?: Readonly<Record<string, string>> | undefined
  /** A scope that asks for a refresh token. Added only with `tokens: vault`. */
  readonly scope?: string | undefined
  /** URL for refresh requests, if it is another one than that of `token`. */
  readonly refresh?: string | undefined
  /** URL of the revocation endpoint (RFC 7009). @default discovery */
  readonly revocation?: string | undefined
}

/** What OAuth 2 and OpenID Connect providers have in common. `P` is the type of the raw profile. */
export interface OAuthCommon<P = RawProfile> extends CommonProvider {
  /** @default the environment variable AUTH_<ID>_ID, see `withEnv` */
  readonly clientId?: string | undefined
  /** @default the environment variable AUTH_<ID>_SECRET, see `withEnv` */
  readonly clientSecret?: string | undefined
  /** Issuer URL: the base of discovery and the expected `iss`. @default the environment variable AUTH_<ID>_ISSUER */
  readonly issuer?: string | undefined
  /** URL of the discovery document. @default `<issuer>/.well-known/openid-configuration` */
  readonly wellKnown?: string | undefined
  /** @default discovery */
  readonly authorization?: string | AuthorizationEndpoint | undefined
  /** @default discovery */
  readonly token?: string | TokenEndpoint | undefined
  /** @default discovery */
  readonly userinfo?: string | UserinfoEndpoint | undefined
  /** URL of the provider's public keys. @default discovery */
  readonly jwks_endpoint?: string | URL | undefined
  /** RFC 7636 §4.2. Use `"plain"` only for a service that doesn't support S256. @default "S256" */
  readonly codeChallengeMethod?: "S256" | "plain" | undefined
  /**
   * Checks that bind the callback to the browser that started the sign-in. `state` is always sent, except with
   * `["none"]` or `[]`; a list without it makes it optional in the callback. @default ["pkce", "state", "nonce"] for OpenID Connect, ["pkce", "state"] for OAuth 2
   */
  readonly checks?: readonly Check[] | undefined
  readonly client?: ClientMetadata | undefined
  /** Maps the raw profile to a user. @default the standard claims (OpenID Connect Core §5.1) */
  profile?(profile: P, tokens: TokenSet, context?: ProfileContext): Awaitable<User>
  /** Selects what the stored account keeps of the token response. @default the standard token fields */
  account?(tokens: TokenSet): TokenSet | undefined | void
  /**
   * Signs in to the existing user with the same email, unless the provider says that the email is unverified. If an
   * attacker can choose their email at this provider, they can take over accounts. @default false
   */
  readonly allowDangerousEmailAccountLinking?: boolean | undefined
  /** `"verified"`: links to an existing user if the provider and the stored user have both verified the email. */
  readonly allowEmailAccountLinking?: "verified" | undefined
  /** @default `redirectProxyUrl` of the configuration */
  readonly redirectProxyUrl?: string | undefined
  readonly style?: ProviderStyle | undefined
  /** Allows plain http and private hosts for this provider. Only for networks you trust. @default false */
  readonly allowInsecureRequests?: boolean | undefined
  /**
   * `false`: `acr_values` and `max_age` are sent, but the ID token isn't compared with them. For a service that uses
   * `acr_values` for something else. @default true
   */
  readonly verifyAuthentication?: boolean | undefined
  /**
   * Other parties that an ID token may be for, besides this client. `azp` must still be this client.
   * A function decides about one audience. @default none, so an ID token with another audience is refused
   */
  readonly trustedAudiences?: readonly string[] | ((audience: string) => boolean) | undefined
  /** Returns the expected issuer of an ID token, for services with an issuer per tenant. Must keep the origin. */
  issuerFor?(claims: RawProfile, issuer: string): string
  /** Makes the client secret if none is set. `now` is in milliseconds since 1970. */
  makeClientSecret?(context: { readonly clientId: string; readonly now: number }): Awaitable<string>
  /**
   * `true`: signed-in users connect their account, for its tokens, and it signs no user in. The sign-in page doesn't have it.
   * @default false
   */
  readonly connectOnly?: boolean | undefined
  /** How `token` gets access that lasts, and where it may be used. */
  readonly tokens?: ProviderAccess | undefined
  /** Says why the service is going away and what to use instead. Logged once for each configuration. */
  readonly deprecated?: string | undefined
  /** Adds parameters of the callback to the raw profile, such as Apple's `user`. `code` and `state` are left out. */
  mergeCallback?(profile: RawProfile, params: Readonly<Record<string, string>>): RawProfile
  /** Replaces `fetch` for every request to this provider. */
  readonly [customFetch]?: Fetch | undefined
  /** @internal the options of the application; they win over the provider's own values */
  readonly options?: OAuthUserConfig<P> | undefined
}

export interface OAuth2Config<P = RawProfile> extends OAuthCommon<P> {
  readonly type: "oauth"
}

export interface OIDCConfig<P = RawProfile> extends OAuthCommon<P> {
  readonly type: "oidc"
  /**
   * `false`: the profile comes from the userinfo endpoint. The ID token is still required and checked.
   * @default true
   */
  readonly idToken?: boolean | undefined
}

export type OAuthConfig<P = RawProfile> = OIDCConfig<P> | OAuth2Config<P>
export type OAuthUserConfig<P = RawProfile> = Partial<Omit<OAuthCommon<P>, "options">> & { readonly idToken?: boolean }
export type OIDCUserConfig<P = RawProfile> = OAuthUserConfig<P>

export interface OAuthEndpoint {
  readonly url: URL | undefined
  /** Serialized, without missing values. */
  readonly params: Readonly<Record<string, string>>
}

export type FlowCheck = Exclude<Check, "none">

/** An OAuth 2 or OpenID Connect provider once the configuration is compiled. */
export interface OAuthProvider extends CommonResolvedProvider {
  readonly type: "oauth" | "oidc"
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly issuer: string | undefined
  readonly wellKnown: string | undefined
  readonly authorization: OAuthEndpoint
  /** Defaults of the service in `authorization` that a browser may replace. The application configured none of them. */
  readonly replaceableParams: ReadonlySet<string>
  readonly token: OAuthEndpoint & Pick<TokenEndpoint, "body" | "request" | "conform" | "clientPrivateKey">
  readonly userinfo: OAuthEndpoint & Pick<UserinfoEndpoint, "request">
  readonly jwksEndpoint: string | undefined
  readonly codeChallengeMethod: "S256" | "plain"
  readonly checks: ReadonlySet<FlowCheck>
  /** The checks that Auth.js v5 makes with the same configuration. It keeps each in a cookie of its own. */
  readonly authjsChecks: ReadonlySet<FlowCheck>
  /** The callback may lack `state`: the provider's `checks` leave it out. */
  readonly stateOptional: boolean
  readonly client: ClientMetadata
  readonly profile: ProfileCallback<RawProfile>
  readonly account: AccountCallback
  readonly emailLinking: "never" | "verified" | "dangerous"
  /** Includes the base path. */
  readonly redirectProxyUrl: string | undefined
  readonly userinfoAsProfile: boolean
  readonly allowInsecureRequests: boolean
  /** Hosts that the configuration names in plain http URLs, if requests to them are allowed. */
  readonly plainHttpHosts: ReadonlySet<string>
  readonly reachesLoopback: boolean
  readonly makeClientSecret: OAuthCommon["makeClientSecret"]
  readonly verifyAuthentication: boolean
  trustedAudiences(audience: string): boolean
  readonly tokens: ProviderAccess
  readonly connectOnly: boolean
  readonly deprecated: string | undefined
  readonly issuerFor: OAuthCommon["issuerFor"]
  readonly mergeCallback: OAuthCommon["mergeCallback"]
  readonly fetch: Fetch
}
