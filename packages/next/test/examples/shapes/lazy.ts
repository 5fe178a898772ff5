import NextAuth, { type NextAuthConfig } from "next-auth"
import GitHub from "next-auth/providers/github"

export const { handlers, auth, signIn, signOut } = NextAuth(async (request) => {
  const tenant = request?.headers.get("x-tenant") ?? "default"
  return {
    providers: [GitHub({ clientId: tenant, clientSecret: "secret" })],
    session: { strategy: "jwt" },
    callbacks: {
      async session({ session, token }) {
        session.user.id = token.sub!
        return session
      },
      async jwt({ token, user }) {
        if (user) {
          token.id = user.id
          token.role = user.role
        }
        return token
      },
    },
  }
})

export const middleware = auth((req) => {
  const { nextUrl } = req
  const isLoggedIn = !!req.auth
  const role = req.auth?.user.role
  if (nextUrl.pathname.startsWith("/api/auth")) return
  if (!isLoggedIn || role !== "ADMIN") return Response.redirect(new URL("/login", nextUrl))
})

function make(request: Request | undefined): NextAuthConfig {
  return { providers: [], secret: request?.headers.get("host") ?? "x", callbacks: { signIn: () => true } }
}

export const annotated = NextAuth(make)
