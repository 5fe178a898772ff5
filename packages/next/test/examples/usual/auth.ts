import NextAuth from "next-auth"
import Credentials from "next-auth/providers/credentials"
import Nodemailer from "next-auth/providers/nodemailer"
import "next-auth/jwt"

export const { handlers, auth, signIn, signOut, unstable_update } = NextAuth({
  debug: !!process.env.AUTH_DEBUG,
  theme: { logo: "/logo.png", colorScheme: "auto" },
  basePath: "/auth",
  session: { strategy: "jwt" },
  providers: [
    Credentials({
      credentials: { password: { label: "Password", type: "password" } },
      authorize: (typed) => (typed.password === "sesame" ? { id: "1", name: "Ali", email: "ali@site.test" } : null),
    }),
    Nodemailer({ server: process.env.EMAIL_SERVER, from: "door@site.test" }),
    {
      id: "keycloak",
      name: "Keycloak",
      type: "oidc",
      issuer: process.env.KEYCLOAK_ISSUER,
      clientId: process.env.KEYCLOAK_ID,
      clientSecret: process.env.KEYCLOAK_SECRET,
    },
  ],
  callbacks: {
    authorized({ request, auth }) {
      const { pathname } = request.nextUrl
      if (pathname === "/inside") return !!auth
      return true
    },
    jwt({ token, trigger, session, account }) {
      if (trigger === "update") token.name = session.user.name
      if (account?.provider === "keycloak") return { ...token, accessToken: account.access_token }
      return token
    },
    async session({ session, token }) {
      if (token?.accessToken) session.accessToken = token.accessToken
      return session
    },
  },
  experimental: { enableWebAuthn: true },
})

declare module "next-auth" {
  interface Session {
    accessToken?: string
  }
}

declare module "next-auth/jwt" {
  interface JWT {
    accessToken?: string
  }
}
