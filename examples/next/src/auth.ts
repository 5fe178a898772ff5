import NextAuth from "@latchkey/next"
import Credentials from "@latchkey/next/providers/credentials"
import GitHub from "@latchkey/next/providers/github"
import { mail } from "@/mail"

/**
 * The whole configuration. What needs the database is imported when it is first asked for, so that the proxy, which
 * only reads sessions, starts without it.
 */
export const { handlers, auth, requireSession, signIn, signOut, update } = NextAuth({
  adapter: async () => (await import("@/store")).store().adapter,
  session: { strategy: "jwt" },
  pages: { signIn: "/sign-in", verifyRequest: "/check-your-mail", error: "/sign-in" },
  // Of the built-in pages that are left.
  theme: { brandColor: "#0d5c63", buttonText: "#ffffff", logo: "/icon.svg" },
  providers: [
    Credentials({
      name: "password",
      credentials: {
        email: { label: "E-mail", type: "email", autocomplete: "username" },
        password: { label: "Password", type: "password", autocomplete: "current-password" },
      },
      async authorize({ email, password }) {
        if (typeof email !== "string" || typeof password !== "string") return null
        return (await import("@/store")).store().checkPassword(email, password)
      },
    }),
    mail,
    ...(process.env.AUTH_GITHUB_ID ? [GitHub] : []),
    ...(process.env.AUTH_OPENID_ID ? [{ id: "openid", name: "OpenID", type: "oidc" } as const] : []),
  ],
  callbacks: {
    // Asked by proxy.ts for the pages that it guards.
    authorized: ({ auth }) => auth !== null,

    jwt({ token, user, trigger, session }) {
      const role: Role = user ? roleOf(user) : roleOf(token)
      // The browser may send anything, or nothing: the name is all that is taken, and not just any.
      const name = trigger === "update" ? validName(session.user?.name) : undefined
      return { ...token, name: name ?? token.name, role }
    },

    // Its result is the type of the session everywhere: `session.user.role` needs no declaration.
    session: ({ session, token }) => ({
      ...session,
      user: { ...session.user, id: token.sub ?? "", role: token.role },
    }),
  },
})

export type Role = "admin" | "member"

/** Of a row in the database, or of the claims that were made from one. */
function roleOf(holder: object): Role {
  return "role" in holder && holder.role === "admin" ? "admin" : "member"
}

/** What somebody may be called; `undefined` if not that. */
export function validName(name: unknown): string | undefined {
  const trimmed = typeof name === "string" ? name.trim() : ""
  return trimmed !== "" && trimmed.length <= 60 ? trimmed : undefined
}
