import NextAuth from "@latchkey/next"
import Credentials from "@latchkey/next/providers/credentials"

const { UPDATE_AGE = "86400" } = process.env

export const { handlers, auth } = NextAuth({
  providers: [
    Credentials({
      name: "Password",
      credentials: { name: { label: "Name" } },
      authorize: ({ name }) => ({ id: `id-${name}`, name }),
    }),
  ],
  adapter: process.env.NEXT_RUNTIME === "edge" ? undefined : () => import("./store.js"),
  session: { strategy: "jwt", updateAge: Number(UPDATE_AGE) },
  callbacks: {
    authorized: ({ auth, request }) => auth !== null || !/^(?:\/(?:en|de))?\/private/.test(request.nextUrl.pathname),
  },
})
