import NextAuth from "@latchkey/next"
import Credentials from "@latchkey/next/providers/credentials"
import Passkey from "@latchkey/next/providers/passkey"

export const { handlers, auth } = NextAuth({
  adapter: async () => (await import("@/store")).adapter(),
  session: { strategy: "jwt" },
  experimental: { enableWebAuthn: true },
  theme: { brandColor: "#5b3a8c", buttonText: "#ffffff" },
  providers: [
    Credentials({
      name: "a name",
      credentials: { name: { label: "Your name", autocomplete: "name", required: true } },
      // Guests don't need a password.
      authorize(credentials) {
        const name = validName(credentials.name)
        return name === undefined ? null : { id: `guest:${name}`, name }
      },
    }),
    {
      id: "email",
      name: "Email",
      type: "email",
      sendVerificationRequest({ identifier, url }) {
        console.log(`No mail server is configured. The sign-in link for ${identifier}:\n${url}`)
      },
    },
    Passkey,
  ],
  callbacks: {
    authorized: ({ auth }) => auth !== null,
    jwt({ token, account, trigger, session }) {
      const name = trigger === "update" ? validName(session.user?.name) : undefined
      return {
        ...token,
        name: name ?? token.name,
        isGuest: account ? account.type === "credentials" : token.isGuest === true,
      }
    },
    session: ({ session, token }) => ({ ...session, isGuest: token.isGuest }),
  },
})

/** The trimmed name, or `undefined` if it isn't valid. */
function validName(name: unknown): string | undefined {
  const trimmed = typeof name === "string" ? name.trim() : ""
  return trimmed !== "" && trimmed.length <= 60 ? trimmed : undefined
}
