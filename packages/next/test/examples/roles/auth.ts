import NextAuth, { type DefaultSession, type User } from "next-auth"
import type { JWT } from "next-auth/jwt"
import Credentials from "next-auth/providers/credentials"

declare module "next-auth" {
  interface User {
    role?: "admin" | "member"
  }
  interface Session {
    user: {
      id: string
      role?: "admin" | "member"
    } & DefaultSession["user"]
  }
}

declare module "next-auth/jwt" {
  interface JWT {
    id?: string
    role?: "admin" | "member"
  }
}

async function find(email: unknown): Promise<User | null> {
  return typeof email === "string" ? { id: "7", email, role: "admin" } : null
}

export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [
    Credentials({
      name: "Email and password",
      credentials: { email: { label: "Email", type: "email" }, password: { label: "Password", type: "password" } },
      async authorize(credentials, request) {
        if (!credentials?.email || request.method !== "POST") return null
        return find(credentials.email)
      },
    }),
  ],
  callbacks: {
    jwt({ token, user }): JWT {
      if (user) {
        token.id = user.id
        token.role = user.role
      }
      return token
    },
    session({ session, token }) {
      if (token.id) session.user.id = token.id
      session.user.role = token.role
      return session
    },
  },
})
