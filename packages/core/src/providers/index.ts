import type { Provider, ProviderType } from "../model/provider.js"
import type { BuiltInId } from "../provider-kit/generated/built-in-id.js"

export type {
  AccountCallback,
  AuthorizationEndpoint,
  Check,
  ClientMetadata,
  CredentialInput,
  CredentialsConfig,
  EmailConfig,
  EmailUserConfig,
  OAuth2Config,
  OAuthConfig,
  OAuthUserConfig,
  OIDCConfig,
  OIDCUserConfig,
  ProfileCallback,
  ProfileContext,
  Provider,
  ProviderStyle,
  ProviderType,
  RawProfile,
  TokenEndpoint,
  UserinfoEndpoint,
  VerificationRequest,
  WebAuthnConfig,
} from "../model/provider.js"
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
