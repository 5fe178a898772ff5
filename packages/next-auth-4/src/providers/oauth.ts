import type { Anything, Awaitable, CommonProviderOptions, Profile, TokenSet, User } from "../model.js"

export type { OAuthProviderType } from "./oauth-types.js"

type ChecksType = "pkce" | "state" | "none" | "nonce"

/** What binds the callback to the browser that started the sign-in. */
export interface OAuthChecks {
  code_verifier?: string
  state?: string
  nonce?: string
  response_type?: string
}

/** What requests to an endpoint can call. See `endpoint-client.ts` for what it has. */
export type Client = Anything

type EndpointRequest<C, R, P> = (
  context: C & {
    client: Client
    provider: OAuthConfig<P> & { signinUrl: string; callbackUrl: string }
  },
) => Awaitable<R>

type UrlParams = Record<string, unknown>

export interface EndpointHandler<P extends UrlParams, C = Anything, R = Anything> {
  url?: string
  /** Parameters of the query. */
  params?: P
  /** Replaces the request. */
  request?: EndpointRequest<C, R, Anything>
}

export type AuthorizationEndpointHandler = EndpointHandler<UrlParams>
export type TokenEndpointHandler = EndpointHandler<
  UrlParams,
  { params: Record<string, string>; checks: OAuthChecks },
  { tokens: TokenSet }
>
export type UserinfoEndpointHandler = EndpointHandler<UrlParams, { tokens: TokenSet }, Profile>

export interface OAuthProviderButtonStyles {
  logo: string
  logoDark?: string
  bg: string
  bgDark?: string
  text: string
  textDark?: string
}

/** What requests to the provider are made with. */
export interface HttpOptions {
  /** Milliseconds. */
  timeout?: number
  headers?: Record<string, string>
  [option: string]: Anything
}

export interface OAuthConfig<P> extends CommonProviderOptions {
  /** URL of the discovery document. */
  wellKnown?: string
  issuer?: string
  jwks_endpoint?: string
  authorization?: string | AuthorizationEndpointHandler
  token?: string | TokenEndpointHandler
  userinfo?: string | UserinfoEndpointHandler
  type: "oauth"
  /** `"1.x"` is OAuth 1.0, which isn't supported. */
  version?: string
  profile: (profile: P, tokens: TokenSet) => Awaitable<User>
  /** @default ["state"] */
  checks?: ChecksType | ChecksType[]
  /** Client metadata, such as `token_endpoint_auth_method`. */
  client?: Record<string, Anything>
  jwks?: { keys: Record<string, Anything>[] }
  clientId?: string
  clientSecret?: string
  /** The profile is the claims of the ID token. @default whether `wellKnown` is that of OpenID Connect */
  idToken?: boolean
  region?: string
  httpOptions?: HttpOptions
  style?: OAuthProviderButtonStyles
  options?: OAuthUserConfig<P>
  accessTokenUrl?: string
  requestTokenUrl?: string
  profileUrl?: string
  encoding?: string
  /** Signs in to the existing user with the same email. @default false */
  allowDangerousEmailAccountLinking?: boolean
}

export type OAuthUserConfig<P> = Omit<Partial<OAuthConfig<P>>, "options" | "type"> &
  Required<Pick<OAuthConfig<P>, "clientId" | "clientSecret">>

export type OAuthProvider = (options: Partial<OAuthConfig<Anything>>) => OAuthConfig<Anything>
