import type { Provider } from "../model/given-provider.js"
import type { ProviderType } from "../model/user.js"
import type { OAuthConfig } from "../model/oauth-provider.js"
import type { CommonProvider } from "../model/provider.js"
import type { WebAuthnConfig } from "../model/webauthn-provider.js"
import type { BuiltInId, EmailProviderId, OAuthProviderId } from "../provider-kit/generated/built-in-id.js"
import type { CredentialsProviderId } from "./credentials.js"
import type Credentials from "./credentials.js"
import type Email from "./email.js"
import type { WebAuthnProviderType } from "./webauthn.js"

export type { CredentialsProviderId } from "./credentials.js"
export type { EmailProviderId, EmailProviderSendVerificationRequestParams, EmailProviderType } from "./email.js"
export type { CredentialInput, CredentialsConfig } from "../model/credentials-provider.js"
export type { WebAuthnConfig } from "../model/webauthn-provider.js"
export type { EmailConfig, EmailUserConfig, VerificationRequest } from "../model/email-provider.js"
export type * from "../provider-kit/oauth.js"
export type { ProviderStyle, RawProfile } from "../model/provider.js"
export type { Provider, ProviderType }
export type { ProviderFactory, ProviderFacts, ProviderOptions } from "../provider-kit/define.js"

/** What every provider has. */
export interface CommonProviderOptions extends CommonProvider {
  readonly type: ProviderType
}

/** The functions that make the providers of this package, by id. */
export type BuiltInProviders = Record<OAuthProviderId, (config: Partial<OAuthConfig>) => OAuthConfig> &
  Record<CredentialsProviderId, typeof Credentials> &
  Record<EmailProviderId, typeof Email> &
  Record<WebAuthnProviderType, (config: Partial<WebAuthnConfig>) => WebAuthnConfig>

/** One provider in the response of the endpoint `providers`. */
export interface AppProvider {
  readonly id: string
  readonly name: string
  readonly type: ProviderType
  readonly signinUrl: string
  readonly callbackUrl: string
}

/** The type of `providers` in the configuration. */
export type AppProviders = Provider[]

/** The id of a provider. Editors suggest the built-in ids, but any string can be one. */
export type ProviderId = BuiltInId | CredentialsProviderId | WebAuthnProviderType | (string & Record<never, never>)
