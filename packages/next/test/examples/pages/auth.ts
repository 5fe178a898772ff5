import NextAuth, { type NextAuthConfig } from "next-auth"
import Credentials from "next-auth/providers/credentials"

export const config: NextAuthConfig = {
  providers: [Credentials({ credentials: { name: {} }, authorize: ({ name }) => ({ id: "1", name: String(name) }) })],
}

export const { handlers, auth, signIn, signOut } = NextAuth(config)
