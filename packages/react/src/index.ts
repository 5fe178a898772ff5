"use client"

export type {
  ClientSafeProvider,
  GetSessionParams,
  SignInAuthorizationParams,
  SignInOptions,
  SignInResponse,
  SignOutParams,
  SignOutResponse,
} from "@latchkey/client"
export { __NEXTAUTH, type AuthClientConfig } from "./config.js"
export { getCsrfToken, getProviders, getSession, revalidate, signIn, signOut } from "./functions.js"
export { SessionContext, SessionProvider, type SessionProviderProps } from "./provider.js"
export type { SessionContextValue, SessionOf, UpdateSession } from "./session.js"
export { useSession, type UseSessionOptions } from "./use-session.js"
