import type { AuthConfig as CoreConfig, JWT, Session } from "@latchkey/core/types"

/** The configuration. Missing values, such as the secret, come from environment variables. */
export interface AuthConfig<T extends JWT = JWT, S = Session> extends Omit<CoreConfig<T, S>, "raw"> {}

export type {
  AuthorizationParams,
  Destination,
  SignInOptions,
  SignOutOptions,
  WithoutRedirect,
} from "@latchkey/core/integration"
