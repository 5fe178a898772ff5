import NextAuth from "@latchkey/next"
import Credentials from "@latchkey/next/providers/credentials"

export const { handlers, auth, requireSession, signIn, signOut, update, account, csrfToken } = NextAuth({
  security: "strict",
  providers: [
    Credentials({
      credentials: { email: {}, password: {} },
      authorize: ({ email, password }) => (password === "lovelace" ? { id: "1", name: email, email } : null),
    }),
  ],
  callbacks: { authorized: ({ request, auth }) => auth !== null || request.nextUrl.pathname !== "/proxied" },
})

export const authWithToken = auth
