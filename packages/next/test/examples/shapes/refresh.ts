import NextAuth from "next-auth"
import type { JWT } from "next-auth/jwt"
import Google from "next-auth/providers/google"

/** Rotates refresh tokens. */
export const { auth, handlers } = NextAuth({
  providers: [
    Google({
      authorization: { params: { access_type: "offline", prompt: "consent", response_type: "code" } },
      profile(profile) {
        return { ...profile, id: profile.sub, image: profile.picture, role: "USER" }
      },
    }),
  ],
  callbacks: {
    async jwt({ token, account, user, profile, trigger, session }): Promise<JWT | null> {
      if (account) {
        token.id = user.id
        token.picture = profile?.picture
        return {
          ...token,
          access_token: account.access_token,
          expires_at: account.expires_at,
          refresh_token: account.refresh_token,
        }
      }
      if (trigger === "update") {
        if (session?.user?.name) token.name = session.user.name
        return { ...token, ...session.user }
      }
      if (token.expires_at && Date.now() < token.expires_at * 1000) return token
      if (!token.refresh_token) throw new TypeError("Missing refresh_token")
      try {
        const response = await fetch("https://oauth2.googleapis.com/token", {
          method: "POST",
          body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: token.refresh_token }),
        })
        const tokensOrError = await response.json()
        if (!response.ok) throw tokensOrError
        const newTokens = tokensOrError as { access_token: string; expires_in: number; refresh_token?: string }
        return {
          ...token,
          access_token: newTokens.access_token,
          expires_at: Math.floor(Date.now() / 1000 + newTokens.expires_in),
          refresh_token: newTokens.refresh_token ?? token.refresh_token,
        }
      } catch (error) {
        console.error("Error refreshing access_token", error)
        token.error = "RefreshTokenError"
        return token
      }
    },
    async session({ session, token }) {
      session.error = token.error
      return { ...session, accessToken: token.access_token, user: { ...session.user, id: token.id as string } }
    },
  },
})
