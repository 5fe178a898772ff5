import NextAuth, { type NextAuthConfig } from "next-auth"
import type { OAuthConfig, OAuthUserConfig } from "next-auth/providers"
import GitHub from "next-auth/providers/github"
import Google, { type GoogleProfile } from "next-auth/providers/google"
import "next-auth/jwt"

declare module "next-auth" {
  interface User {
    login?: string
  }
  interface Session {
    provider?: string
  }
}

declare module "next-auth/jwt" {
  interface JWT {
    login?: string
    provider?: string
  }
}

interface AcmeProfile {
  uid: number
  label: string
  mail: string | null
}

export default function Acme<P extends AcmeProfile>(options: OAuthUserConfig<P> & { region?: string }): OAuthConfig<P> {
  const base = `https://${options.region ?? "eu"}.acme.test`
  return {
    id: "acme",
    name: "Acme",
    type: "oauth",
    authorization: { url: `${base}/authorize`, params: { scope: "profile mail" } },
    token: `${base}/token`,
    userinfo: `${base}/me`,
    profile: (profile) => ({ id: String(profile.uid), name: profile.label, email: profile.mail }),
    style: { brandColor: "#123456" },
    options,
  }
}

export const authConfig = {
  providers: [
    GitHub,
    GitHub({
      id: "github-enterprise",
      clientId: process.env.GHE_ID,
      clientSecret: process.env.GHE_SECRET,
      enterprise: { baseUrl: "https://git.site.test" },
      profile(profile) {
        return {
          id: profile.id.toString(),
          name: profile.name ?? profile.login,
          email: profile.email,
          login: profile.login,
        }
      },
    }),
    Google({
      authorization: { params: { prompt: "consent", access_type: "offline", response_type: "code" } },
      allowDangerousEmailAccountLinking: true,
      async profile(profile) {
        return { id: profile.sub, name: profile.name, email: profile.email, image: profile.picture }
      },
    }),
    Acme({ clientId: "client", clientSecret: "secret", region: "us" }),
  ],
  callbacks: {
    signIn({ account, profile }) {
      if (account?.provider !== "google") return true
      return !!profile?.email_verified && !!profile.email?.endsWith("@site.test")
    },
    jwt({ token, user, account, profile }) {
      if (account) token.provider = account.provider
      if (user) token.login = user.login
      if (profile?.locale) token.locale = profile.locale
      return token
    },
    session({ session, token }) {
      session.user.id = token.sub as string
      session.provider = token.provider
      return session
    },
  },
} satisfies NextAuthConfig

export type Claims = Pick<GoogleProfile, "sub" | "email" | "hd">

export const { handlers, auth, signIn, signOut } = NextAuth(authConfig)
