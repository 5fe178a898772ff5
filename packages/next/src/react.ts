"use client"

import { __NEXTAUTH } from "@latchkey/react"

export { getCsrfToken, getProviders, getSession, revalidate, signIn, signOut } from "@latchkey/react"
export { __NEXTAUTH, SessionContext, useSession } from "@latchkey/react"
export type {
  AuthClientConfig,
  ClientSafeProvider,
  GetSessionParams,
  SessionContextValue,
  SessionOf,
  SessionProviderProps,
  SignInAuthorizationParams,
  SignInOptions,
  SignInResponse,
  SignOutParams,
  SignOutResponse,
  UpdateSession,
  UseSessionOptions,
} from "@latchkey/react"
export { SessionProvider } from "./session-provider.js"

// Next.js bundlers replace this variable with `basePath` from next.config.
const nextBasePath = process.env["__NEXT_ROUTER_BASEPATH"] ?? ""
if (__NEXTAUTH.basePath === "/api/auth") __NEXTAUTH.basePath = `${nextBasePath}/api/auth`
