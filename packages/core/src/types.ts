import type { AdapterAuthenticator } from "./model/adapter.js"

export type { Language } from "./i18n/language.js"
export type { MailTexts } from "./i18n/mail-messages.js"
export type { Messages, PartialMessages } from "./i18n/messages.js"
export type { I18nOptions } from "./i18n/options.js"
export type {
  AccountActions,
  AccountOverview,
  AccountPart,
  EmailChange,
  EmailConfirmation,
  LinkedAccount,
  PasskeySummary,
  ProfileChanges,
  SessionSummary,
  Unavailable,
  UserAccount,
} from "./model/account.js"
export type * from "./model/adapter.js"
export type { Module } from "./module-kit/model.js"
export type * from "./model/callbacks.js"
export type * from "./model/config.js"
export type * from "./model/cookie.js"
export type { CredentialInput, CredentialsConfig } from "./model/credentials-provider.js"
export type { WebAuthnConfig } from "./model/webauthn-provider.js"
export type { AccountEmail, EmailConfig, EmailUserConfig, VerificationRequest } from "./model/email-provider.js"
export type * from "./model/flow.js"
export type * from "./model/given-provider.js"
export type { AuthAction, ResponseInternal } from "./model/http.js"
export type * from "./model/known-names.js"
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
  ProviderAccess,
  ProviderContext,
  TokenEndpoint,
  TokenRequestChecks,
  UserinfoEndpoint,
} from "./model/oauth-provider.js"
export type * from "./model/provider-token.js"
export type { ErrorPageParam, PagesOptions, SemverString, SignInPageErrorParam, Theme } from "./model/pages.js"
export type { Fetch, ProviderStyle, RawProfile } from "./model/provider.js"
export type { SecurityMode, SecurityOptions } from "./model/security.js"
export type * from "./model/security-event.js"
export type * from "./model/session.js"
export type { SignOutScope } from "./model/session-strategy.js"
export type { Authentication, Duration, StepUp } from "./model/step-up.js"
export type * from "./model/user.js"
export type { Version4Options } from "./model/version4.js"
export type { Lazily } from "./primitives/awaitable.js"
export type { Runtime } from "./primitives/runtime.js"

/** The type that a promise resolves to. */
export type Awaited<T> = T extends Promise<infer U> ? U : T

/** A passkey, as adapters of Auth.js 5 store it. */
export type Authenticator = Omit<AdapterAuthenticator, "userId"> & { userId?: string }

/** One provider in the response of the endpoint `providers`. */
export interface PublicProvider {
  readonly id: string
  readonly name: string
  readonly type: string
  readonly signinUrl: string
  readonly callbackUrl: string
}

/** The response of the endpoint `webauthn-options`. */
export type WebAuthnOptionsResponseBody =
  | { readonly action: "authenticate"; readonly options: Readonly<Record<string, unknown>> }
  | { readonly action: "register"; readonly options: Readonly<Record<string, unknown>> }
