import NextAuth from "next-auth"
import "next-auth/jwt"

declare module "next-auth" {
  interface User {
    role?: string
  }
}

declare module "next-auth/jwt" {
  interface JWT {
    role?: string
  }
}

export const { handlers, auth, unstable_update } = NextAuth({
  providers: [],
  callbacks: {
    jwt({ token, user, trigger, session }) {
      if (trigger === "signIn" || trigger === "signUp") token.role = user.role
      if (trigger === "update" && session?.user) token.picture = session.user.image
      if (trigger === "update" && session?.name) token.name = session.name
      if (trigger === "update") {
        token.role = session.role
        return { ...token, ...session.user }
      }
      return token
    },
    session({ session, token, trigger, newSession }) {
      if (trigger === "update") session.user.name = newSession.user.name
      if (trigger === "update" && newSession?.name) session.user.name = newSession.name
      return { ...session, user: { ...session.user, role: token.role } }
    },
  },
})
