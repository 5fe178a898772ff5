import type { Provider } from "../model/given-provider.js"
import type { ProviderType } from "../model/user.js"
import type { BuiltInId } from "../provider-kit/generated/built-in-id.js"

export type { CredentialInput, CredentialsConfig, WebAuthnConfig } from "../model/credentials-provider.js"
export type { EmailConfig, EmailUserConfig, VerificationRequest } from "../model/email-provider.js"
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
export type { ProviderStyle, RawProfile } from "../model/provider.js"
export type { Provider, ProviderType }
export type { ProviderFactory, ProviderFacts, ProviderOptions } from "../provider-kit/define.js"

/** One provider in the response of the endpoint `providers`. */
export interface AppProvider {
  readonly id: string
  readonly name: string
  readonly type: ProviderType
  readonly signinUrl: string
  readonly callbackUrl: string
}

/** The type of `providers` in the configuration. */
export type AppProviders = readonly Provider[]

/** The id of a provider. Editors suggest the built-in ids, but any string can be one. */
export type ProviderId = BuiltInId | "credentials" | (string & Record<never, never>)
