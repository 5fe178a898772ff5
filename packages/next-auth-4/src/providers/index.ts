import type { CredentialsConfig } from "./credentials.js"
import type { EmailConfig } from "./email.js"
import type { OAuthConfig } from "./oauth.js"
import type { Anything, CommonProviderOptions } from "../model.js"
import type { OAuthProviderType } from "./oauth-types.js"

export * from "./oauth.js"
export type {
  CredentialInput,
  CredentialsConfig,
  CredentialsProvider,
  CredentialsProviderType,
} from "./credentials.js"
export type {
  EmailConfig,
  EmailProvider,
  EmailProviderType,
  EmailUserConfig,
  SendVerificationRequestParams,
} from "./email.js"

export type { CommonProviderOptions, ProviderType } from "../model.js"

export type Provider = OAuthConfig<Anything> | EmailConfig | CredentialsConfig

export type AppProviders = Provider[]

export interface AppProvider extends CommonProviderOptions {
  signinUrl: string
  callbackUrl: string
}

export type RedirectableProviderType = "email" | "credentials"

export type BuiltInProviderType = RedirectableProviderType | OAuthProviderType
