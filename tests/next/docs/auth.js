import NextAuth from "@latchkey/next"
import Credentials from "@latchkey/next/providers/credentials"

const { SIGN_IN_PAGE } = process.env

export const { handlers, auth, requireSession } = NextAuth({
  providers: [
    Credentials({
      name: "Password",
      credentials: { name: { label: "Name" } },
      authorize: ({ name }) => ({ id: `id-${name}`, name }),
    }),
  ],
  pages: { signIn: SIGN_IN_PAGE },
  callbacks: { authorized: ({ auth, request }) => auth !== null || request.nextUrl.pathname !== "/private" },
})
