import NextAuth, { CredentialsSignin } from "next-auth"
import Credentials from "next-auth/providers/credentials"
import Passkey from "next-auth/providers/passkey"
import { adapter } from "./database"

class WrongPassword extends CredentialsSignin {
  code = "wrong-password"
}

export const { handlers, signIn, signOut, auth, unstable_update } = NextAuth({
  adapter,
  session: { strategy: "jwt" },
  experimental: { enableWebAuthn: true },
  providers: [
    Credentials({
      credentials: { username: { label: "Username" }, password: { label: "Password", type: "password" } },
      authorize: async ({ username, password }) => {
        if (password !== "open sesame") throw new WrongPassword()
        return { id: "1", name: username, email: `${username}@users.test`, role: "admin" }
      },
    }),
    Passkey({ formFields: { email: { label: "Email", required: true, autocomplete: "username webauthn" } } }),
  ],
  callbacks: {
    authorized: ({ auth }) => auth?.user,
    jwt({ token, user, trigger, session }) {
      if (user) token.role = user.role
      if (trigger === "update") token.name = session.user.name
      return token
    },
    session({ session, token }) {
      session.user.role = token.role
      return session
    },
  },
})
