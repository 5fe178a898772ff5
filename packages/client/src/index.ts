export { createAuthClient } from "./client.js"
export type {
  Answer,
  AuthClient,
  AuthClientOptions,
  Ceremony,
  ClientFetchError,
  ClientSafeProvider,
  Connection,
  GetSessionParams,
  RequestLike,
  SignIn,
  SignInAuthorizationParams,
  SignInOptions,
  SignInResponse,
  SignOut,
  SignOutParams,
  SignOutResponse,
  Snapshot,
  WatchOptions,
} from "./model.js"
export { type EveryProp, type KnownProps, warnOfUnknownProps } from "./unknown-props.js"
