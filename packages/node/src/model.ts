import type { AuthError } from "@latchkey/core/errors"
import type { AuthConfig as CoreConfig, JWT, Session } from "@latchkey/core/types"
import type { SignInOptions } from "@latchkey/core/integration"

/** The configuration. Missing values, such as the secret, come from environment variables. */
export interface AuthConfig<T extends JWT = JWT, S = Session> extends Omit<CoreConfig<T, S>, "raw"> {}

/** Parameters for the provider's authorization endpoint, such as `prompt`. */
export type AuthorizationParams = Readonly<Record<string, string>>

/** Where to send the user. */
export interface Destination {
  readonly to: string
  /** Why the sign-in was refused or couldn't start. `to` is the page that explains it to the user. */
  readonly error?: AuthError
}

export interface SignOutOptions {
  readonly redirectTo?: string | undefined
}

/** The app responds itself. */
export interface WithoutRedirect {
  readonly redirect: false
}

export type { SignInOptions }
