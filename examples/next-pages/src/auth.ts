import NextAuth from "@latchkey/next"
import Credentials from "@latchkey/next/providers/credentials"

/** The sign-in, sign-out and error pages are the built-in ones. */
export const { handlers, auth } = NextAuth({
  adapter: async () => (await import("@/store")).adapter(),
  session: { strategy: "jwt" },
  theme: { brandColor: "#5b3a8c", buttonText: "#ffffff" },
  providers: [
    Credentials({
      name: "a name",
      credentials: { name: { label: "Your name", autocomplete: "name", required: true } },
      // Everybody is let in under any name: a guest book needs no more.
      authorize(credentials) {
        const name = validName(credentials.name)
        return name === undefined ? null : { id: `guest:${name}`, name }
      },
    }),
    {
      id: "mail",
      name: "e-mail",
      type: "email",
      sendVerificationRequest({ identifier, url }) {
        console.log(`There is no mail server. The link for ${identifier}:\n${url}`)
      },
    },
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

/** What somebody may be called; `undefined` if not that. */
function validName(name: unknown): string | undefined {
  const trimmed = typeof name === "string" ? name.trim() : ""
  return trimmed !== "" && trimmed.length <= 60 ? trimmed : undefined
}
