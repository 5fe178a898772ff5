import NextAuth from "next-auth"
import Credentials from "next-auth/providers/credentials"

export const { handlers, auth } = NextAuth({
  providers: [
    Credentials({
      credentials: { name: {} },
      authorize: ({ name }) => ({ id: "1", name: String(name), email: "ada@app.example" }),
    }),
  ],
  session: { strategy: "jwt" },
})
