import NextAuth, { type NextAuthConfig, type NextAuthRequest, type Session } from "next-auth"

const config: NextAuthConfig = { providers: [] }
export const { auth, handlers, signIn, signOut } = NextAuth(config)

export function who(request: NextAuthRequest): Session | null {
  return request.auth
}
