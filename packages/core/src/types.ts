export type * from "./model/adapter.js"
export type { Module, ModuleRoute } from "./model/auth.js"
export type * from "./model/callbacks.js"
export type * from "./model/config.js"
export type * from "./model/cookie.js"
export type { CredentialInput, CredentialsConfig, WebAuthnConfig } from "./model/credentials-provider.js"
export type { EmailConfig, EmailUserConfig, VerificationRequest } from "./model/email-provider.js"
export type * from "./model/given-provider.js"
export type { AuthAction, ResponseInternal } from "./model/http.js"
export type * from "./model/limits.js"
export type { LoggerInstance, WarningCode } from "./model/logger.js"
export type {
  AccountCallback,
  AuthorizationEndpoint,
  Check,
  ClientMetadata,
  EndpointParams,
  OAuth2Config,
  OAuthCommon,
  OAuthConfig,
  OAuthUserConfig,
  OIDCConfig,
  OIDCUserConfig,
  PrivateKey,
  ProfileCallback,
  ProfileContext,
  ProviderContext,
  TokenEndpoint,
  TokenRequestChecks,
  UserinfoEndpoint,
} from "./model/oauth-provider.js"
export type { PagesOptions, Theme } from "./model/pages.js"
export type { Fetch, ProviderStyle, RawProfile } from "./model/provider.js"
export type { SecurityMode, SecurityOptions } from "./model/security.js"
export type * from "./model/session.js"
export type * from "./model/user.js"
export type { Lazily } from "./primitives/awaitable.js"
export type { Runtime } from "./primitives/runtime.js"
