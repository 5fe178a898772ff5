export type {
  AuthClientConfig,
  ClientSafeProvider,
  SessionProviderProps,
  SignInOptions,
  SignInResponse,
  SignOutParams,
  SignOutResponse,
  UseSessionOptions,
} from "@latchkey/react"
