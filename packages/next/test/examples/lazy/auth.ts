import NextAuth, { type NextAuthConfig } from "next-auth"
import Credentials from "next-auth/providers/credentials"

export const { handlers, auth, signIn, signOut } = NextAuth((request) => {
  const host = request?.headers.get("host") ?? "default"
  return { secret: process.env[`SECRET_${host}`], providers: [] }
})

export const tenants = NextAuth(async (request) => {
  const config: NextAuthConfig = {
    providers: [Credentials({ credentials: {}, authorize: () => ({ id: "1" }) })],
    cookies: { sessionToken: { name: `session-${request?.nextUrl.hostname}` } },
  }
  return config
})
