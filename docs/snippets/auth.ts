/** The examples in the docs import this as "@/auth". */
import NextAuth from "@latchkey/next"
import GitHub from "@latchkey/next/providers/github"

export const { handlers, auth, requireSession, signIn, signOut, token, update } = NextAuth({
  providers: [GitHub],
  callbacks: { session: ({ session, token }) => ({ ...session, role: token["role"] === "admin" ? "admin" : "user" }) },
})
