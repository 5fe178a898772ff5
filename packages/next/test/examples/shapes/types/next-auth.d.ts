import type { DefaultSession } from "next-auth"
import type { DefaultJWT } from "next-auth/jwt"

export type ExtendedUser = DefaultSession["user"] & {
  id: string
  role: "ADMIN" | "USER"
  isTwoFactorEnabled: boolean
  isOAuth: boolean
}

declare module "next-auth" {
  interface Session {
    user: ExtendedUser
    accessToken?: string
    error?: "RefreshTokenError"
  }
  interface User {
    role?: "ADMIN" | "USER"
    isTwoFactorEnabled?: boolean
  }
}

declare module "next-auth/jwt" {
  interface JWT extends DefaultJWT {
    id?: string
    role?: "ADMIN" | "USER"
    isTwoFactorEnabled?: boolean
    isOAuth?: boolean
    access_token?: string
    expires_at?: number
    refresh_token?: string
    error?: "RefreshTokenError"
    user?: { id: string; name: string }
  }
}
