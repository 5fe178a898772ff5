import NextAuth from "@latchkey/next"
import Credentials from "@latchkey/next/providers/credentials"
import GitHub from "@latchkey/next/providers/github"
import Passkey from "@latchkey/next/providers/passkey"
import { email } from "@/email"

/** The database is imported on first use, so that the proxy, which only reads sessions, starts without it. */
export const { handlers, auth, requireSession, signIn, signOut, update } = NextAuth({
  adapter: async () => (await import("@/store")).store().adapter,
  session: { strategy: "jwt" },
  experimental: { enableWebAuthn: true },
  pages: { signIn: "/sign-in", verifyRequest: "/check-your-email", error: "/sign-in" },
  // For the built-in pages that aren't replaced.
  theme: { brandColor: "#0d5c63", buttonText: "#ffffff", logo: "/icon.svg" },
  providers: [
    Credentials({
      name: "password",
      credentials: {
        email: { label: "Email", type: "email", autocomplete: "username" },
        password: { label: "Password", type: "password", autocomplete: "current-password" },
      },
      async authorize({ email, password }) {
        if (typeof email !== "string" || typeof password !== "string") return null
        return (await import("@/store")).store().checkPassword(email, password)
      },
    }),
    email,
    Passkey,
    ...(process.env.AUTH_GITHUB_ID ? [GitHub] : []),
    ...(process.env.AUTH_OPENID_ID ? [{ id: "openid", name: "OpenID", type: "oidc" } as const] : []),
  ],
  callbacks: {
    jwt({ token, user, trigger, session }) {
      const role: Role = user ? roleOf(user) : roleOf(token)
      // The browser can send any data. Take only the name, and validate it.
      const name = trigger === "update" ? validName(session.user?.name) : undefined
      return { ...token, name: name ?? token.name, role }
    },

    // The return type becomes the session type everywhere, so `session.user.role` needs no declaration.
    session: ({ session, token }) => ({
      ...session,
      user: { ...session.user, id: token.sub ?? "", role: token.role },
    }),
  },
})

export type Role = "admin" | "member"

/** The role of a user in the database, or in the token. */
function roleOf(user: object): Role {
  return "role" in user && user.role === "admin" ? "admin" : "member"
}

/** The trimmed name, or `undefined` if it isn't valid. */
export function validName(name: unknown): string | undefined {
  const trimmed = typeof name === "string" ? name.trim() : ""
  return trimmed !== "" && trimmed.length <= 60 ? trimmed : undefined
}
