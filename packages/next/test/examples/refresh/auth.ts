import NextAuth from "next-auth"
import "next-auth/jwt"
import type { OIDCConfig } from "next-auth/providers"

interface Claims {
  sub: string
  name: string
  email: string
}

const provider: OIDCConfig<Claims> = {
  id: "acme",
  name: "Acme",
  type: "oidc",
  issuer: "https://acme.test",
  clientId: process.env.ACME_ID,
  clientSecret: process.env.ACME_SECRET,
  authorization: { params: { access_type: "offline", prompt: "consent", scope: "openid email" } },
  checks: ["pkce", "state", "nonce"],
  profile: (claims) => ({ id: claims.sub, name: claims.name, email: claims.email }),
}

export const { handlers, auth, signIn } = NextAuth({
  providers: [provider],
  callbacks: {
    async jwt({ token, account }) {
      if (account) {
        const { access_token, refresh_token, expires_at } = account
        return { ...token, access_token, refresh_token, expires_at }
      }
      if (token.expires_at && Date.now() < token.expires_at * 1000) return token
      if (!token.refresh_token) throw new TypeError("There is no refresh token")
      try {
        const response = await fetch("https://acme.test/token", {
          method: "POST",
          body: new URLSearchParams({
            client_id: process.env.ACME_ID!,
            client_secret: process.env.ACME_SECRET!,
            grant_type: "refresh_token",
            refresh_token: token.refresh_token,
          }),
        })
        const answer = await response.json()
        if (!response.ok) throw answer
        const fresh = answer as { access_token: string; expires_in: number; refresh_token?: string }
        return {
          ...token,
          access_token: fresh.access_token,
          expires_at: Math.floor(Date.now() / 1000 + fresh.expires_in),
          refresh_token: fresh.refresh_token ?? token.refresh_token,
        }
      } catch (error) {
        console.error(error)
        token.error = "RefreshFailed"
        return token
      }
    },
    async session({ session, token }) {
      session.error = token.error
      return session
    },
  },
})

declare module "next-auth" {
  interface Session {
    error?: "RefreshFailed"
  }
}

declare module "next-auth/jwt" {
  interface JWT {
    access_token?: string
    expires_at?: number
    refresh_token?: string
    error?: "RefreshFailed"
  }
}
