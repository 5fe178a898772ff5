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

/** What the `providers` endpoint says of one provider (spec/http.md §7). */
export interface AppProvider {
  readonly id: string
  readonly name: string
  readonly type: ProviderType
  readonly signinUrl: string
  readonly callbackUrl: string
}

export type AppProviders = readonly Provider[]

/** Ids that editors propose; every other string is an id too. */
export type ProviderId = BuiltInId | "credentials" | (string & Record<never, never>)
