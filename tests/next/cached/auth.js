import NextAuth from "@latchkey/next"
import Google from "@latchkey/next/providers/google"
import Credentials from "@latchkey/next/providers/credentials"

export const { handlers, auth, requireSession, signIn, signOut, update, account, csrfToken, token } = NextAuth({
  security: "strict",
  providers: [
    Google({ clientId: "client", clientSecret: "only-for-tests" }),
    Credentials({
      credentials: { email: {}, password: {} },
      authorize: ({ email, password }) => (password === "lovelace" ? { id: "1", name: email, email } : null),
    }),
  ],
  callbacks: { authorized: ({ request, auth }) => auth !== null || request.nextUrl.pathname !== "/proxied" },
})
