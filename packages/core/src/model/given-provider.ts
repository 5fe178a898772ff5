import type { Method } from "./auth.js"
import type { CredentialsConfig } from "./credentials-provider.js"
import type { EmailConfig } from "./email-provider.js"
import type { OAuth2Config, OIDCConfig, ProfileCallback, ProfileContext } from "./oauth-provider.js"
import type { RawProfile } from "./provider.js"
import type { Awaitable, TokenSet, User } from "./user.js"
import type { WebAuthnConfig } from "./webauthn-provider.js"

/** A provider can bring its own sign-in method. @internal */
export interface WithMethod {
  readonly method?: (() => Promise<Method>) | undefined
}

export type ProviderConfig = (OIDCConfig | OAuth2Config | EmailConfig | CredentialsConfig | WebAuthnConfig) & WithMethod

/**
 * A {@link ProfileCallback} for any profile. Two signatures with different type parameters give TypeScript nothing to
 * infer from, so an inline callback takes its parameter types from the type next to this one.
 */
interface AnyProfileCallback {
  <_A>(profile: never, tokens: TokenSet, context?: ProfileContext): Awaitable<User>
  <_A, _B>(profile: never, tokens: TokenSet, context?: ProfileContext): Awaitable<User>
}

/** The raw profile has any type: only the provider's author knows it. */
interface AnyProfile extends WithMethod {
  readonly profile?: ProfileCallback<RawProfile> | AnyProfileCallback | undefined
  readonly options?: object | undefined
}

export interface AnyOAuth2Config extends Omit<OAuth2Config, "profile" | "options">, AnyProfile {}
export interface AnyOIDCConfig extends Omit<OIDCConfig, "profile" | "options">, AnyProfile {}

export type GivenProvider =
  | AnyOAuth2Config
  | AnyOIDCConfig
  | ((EmailConfig | CredentialsConfig | WebAuthnConfig) & WithMethod)

/** A {@link Provider} whose id TypeScript knows. With `string`, it's any provider. */
export type KnownProvider<Id extends string> =
  | (GivenProvider & { readonly id: Id })
  | ((...options: never[]) => GivenProvider & { readonly id: Id })

/** An element of `providers`: a provider, or a function that makes one from options. */
export type Provider = GivenProvider | ((...options: never[]) => GivenProvider)
