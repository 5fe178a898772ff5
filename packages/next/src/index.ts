export { NextAuth as default } from "./next-auth.js"
export { customFetch } from "@latchkey/core/env"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
export type * from "@latchkey/core/types"
export type { AuthorizationParams } from "./actions.js"
export type { ConfigSource, NextAuthCallbacks, NextAuthConfig } from "./config.js"
export type {
  AuthFunction,
  NextAuthRequest,
  NextAuthResult,
  RouteContext,
  SignInFunction,
  SignOutFunction,
  UpdateFunction,
} from "./result.js"
