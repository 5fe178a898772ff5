import NextAuth from "next-auth"
import type { Adapter } from "next-auth/adapters"
import Credentials from "next-auth/providers/credentials"
import { authConfig } from "./auth.config"

declare const adapter: Adapter

export const { handlers, auth, signIn, signOut } = NextAuth({
  adapter,
  session: { strategy: "jwt" },
  ...authConfig,
  providers: [
    Credentials({
      async authorize(credentials) {
        const { email, password } = credentials as { email?: string; password?: string }
        return email && password ? { id: "1", email } : null
      },
    }),
  ],
})
