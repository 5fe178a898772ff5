export { NextAuth as default } from "./next-auth.js"
export { customFetch } from "@latchkey/core/env"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
export type * from "@latchkey/core/providers"
export type { WithMembers } from "@latchkey/core/session-reader"
export type * from "@latchkey/core/types"
export type {
  AuthorizationParams,
  AuthorizedParams,
  ConfigSource,
  LazyNextAuthConfig,
  NextAuthCallbacks,
  NextAuthConfig,
} from "./config.js"
export type {
  AuthFunction,
  GuardedFunction,
  NextAuthResult,
  RouteContext,
  RouteHandler,
  RouteHandlers,
  RequireSessionOptions,
  SignInFunction,
  SignOutFunction,
  UntypedRouteContext,
  UpdateFunction,
} from "./result.js"
export type { NextAuthRequest } from "./wrapped-handler.js"
