export { customFetch } from "@latchkey/core"
export { AuthError, CredentialsSignin } from "@latchkey/core/errors"
export type {
  AuthorizationParams,
  Destination,
  Revoke,
  SignIn,
  SignInOptions,
  SignOut,
  SignOutOptions,
  Token,
  UserExport,
  UserFunctions,
  WithMembers,
} from "@latchkey/core/integration"
export type { Account, DefaultSession, Profile, Session, User, UserAccount } from "@latchkey/core/types"
export {
  type AuthEnv,
  authHandler,
  type AuthUser,
  type ConfigHandler,
  getAuthUser,
  initAuthConfig,
  reqWithEnvUrl,
  setEnvDefaults,
  verifyAuth,
} from "./auth-js.js"
export { type AuthConfig, createAuth } from "./create-auth.js"
export type { Auth } from "./model.js"
