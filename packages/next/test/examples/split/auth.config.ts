import type { NextAuthConfig } from "next-auth"

export const authConfig = {
  pages: { signIn: "/login" },
  providers: [],
  callbacks: {
    authorized({ auth, request: { nextUrl } }) {
      const isInside = nextUrl.pathname.startsWith("/dashboard")
      if (isInside) return !!auth?.user
      if (auth?.user) return Response.redirect(new URL("/dashboard", nextUrl))
      return true
    },
  },
} satisfies NextAuthConfig
