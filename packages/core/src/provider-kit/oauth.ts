import type {
  AuthorizationEndpoint,
  OIDCConfig,
  TokenEndpoint,
  TokenRequestChecks,
  UserinfoEndpoint,
} from "../model/oauth-provider.js"
import type { ProviderStyle, RawProfile } from "../model/provider.js"

export type {
  AccountCallback,
  AuthorizationEndpoint,
  Check,
  ClientMetadata,
  OAuth2Config,
  OAuthConfig,
  OAuthUserConfig,
  OIDCConfig,
  OIDCUserConfig,
  ProfileCallback,
  ProfileContext,
  TokenEndpoint,
  UserinfoEndpoint,
} from "../model/oauth-provider.js"
export type { OAuthProviderId } from "./generated/built-in-id.js"

// The names of these types in Auth.js 5.
export type AuthorizationEndpointHandler = AuthorizationEndpoint
export type TokenEndpointHandler = TokenEndpoint
export type UserinfoEndpointHandler = UserinfoEndpoint
export type OAuthChecks = TokenRequestChecks
export type OAuthEndpointType = "authorization" | "token" | "userinfo"
export type OAuthProviderButtonStyles = ProviderStyle
export type OIDCConfigInternal<P = RawProfile> = OIDCConfig<P>
