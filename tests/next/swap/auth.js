import NextAuth from "next-auth"
import Credentials from "next-auth/providers/credentials"

export const { handlers, signIn, signOut, auth } = NextAuth({
  providers: [
    Credentials({
      credentials: { username: { label: "Username" }, password: { label: "Password", type: "password" } },
      authorize: async ({ username, password }) =>
        password === "open sesame" ? { id: "1", name: username, email: `${username}@users.test`, role: "admin" } : null,
    }),
  ],
  callbacks: {
    authorized: async ({ auth }) => !!auth,
    jwt({ token, user }) {
      if (user) token.role = user.role
      return token
    },
    session({ session, token }) {
      session.user.role = token.role
      return session
    },
  },
})
