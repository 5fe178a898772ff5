import { mfa as secondFactor } from "@latchkey/mfa"
import NextAuth from "@latchkey/next"
import GitHub from "@latchkey/next/providers/github"
import Google from "@latchkey/next/providers/google"
import { password } from "@latchkey/password"
import { sqlite } from "@latchkey/sql/sqlite"
import { email } from "@/email"
import { file } from "@/database"

export const { handlers, auth, requireSession, signOut, mfa } = NextAuth({
  security: "strict",
  adapter: sqlite(file),
  providers: [email, ...(process.env.AUTH_GITHUB_ID ? [GitHub] : []), ...(process.env.AUTH_GOOGLE_ID ? [Google] : [])],
  modules: [password(), secondFactor()],
  theme: { name: "Harbor", brandColor: "#0d5c63", buttonText: "#ffffff", logo: "/icon.svg" },
  callbacks: {
    // The proxy asks this for the pages that it matches.
    authorized: ({ auth }) => auth !== null,
    // The return type is the type of the session everywhere.
    session: ({ session, user }) => ({ ...session, user: { ...session.user, id: user.id } }),
  },
})
