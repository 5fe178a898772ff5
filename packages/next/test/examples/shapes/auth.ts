import NextAuth from "next-auth"
import type { Adapter } from "next-auth/adapters"
import authConfig from "./auth.config"

declare const adapter: Adapter
declare function getUserById(id: string): Promise<{ role: "ADMIN" | "USER"; name: string | null } | null>
declare function update(query: { where: { id?: string }; data: object }): Promise<void>

export const {
  handlers: { GET, POST },
  auth,
  signIn,
  signOut,
  unstable_update: updateSession,
} = NextAuth({
  pages: { signIn: "/auth/login", error: "/auth/error" },
  events: {
    async linkAccount({ user }) {
      await update({ where: { id: user.id }, data: { emailVerified: new Date() } })
    },
    async signOut(message) {
      if ("token" in message) console.log(message.token?.sub)
      else console.log(message.session?.userId)
    },
    createUser: async ({ user }) => console.log(user.email),
  },
  callbacks: {
    async signIn({ user, account, profile, email, credentials }) {
      if (account?.provider !== "credentials") return true
      const existingUser = await getUserById(user.id!)
      if (email?.verificationRequest) return "/auth/login?error=Email"
      if (!existingUser || credentials?.email === profile?.email) return false
      return true
    },
    async session({ token, session }) {
      if (token.sub && session.user) session.user.id = token.sub
      if (token.role && session.user) session.user.role = token.role
      if (session.user) {
        session.user.isTwoFactorEnabled = token.isTwoFactorEnabled as boolean
        session.user.name = token.name
        session.user.email = token.email as string
        session.user.isOAuth = token.isOAuth as boolean
      }
      return session
    },
    async jwt({ token }) {
      if (!token.sub) return token
      const existingUser = await getUserById(token.sub)
      if (!existingUser) return token
      token.isOAuth = !!existingUser
      token.name = existingUser.name
      token.role = existingUser.role
      return token
    },
    async redirect({ url, baseUrl }) {
      if (url.startsWith("/")) return `${baseUrl}${url}`
      if (new URL(url).origin === baseUrl) return url
      return baseUrl
    },
  },
  adapter,
  session: { strategy: "jwt", maxAge: 60 * 60, updateAge: 60 },
  trustHost: true,
  ...authConfig,
})
