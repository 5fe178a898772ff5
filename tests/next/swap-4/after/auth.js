import NextAuth from "next-auth"
import CredentialsProvider from "next-auth/providers/credentials"
import { callbacks, credentials } from "./shared"

export const { handlers, auth } = NextAuth({
  providers: [CredentialsProvider(credentials)],
  session: { version4: { share: process.env.SHARE === "true" } },
  callbacks: { ...callbacks, authorized: ({ auth }) => !!auth },
})

export const serverSession = auth

export const pagesSession = auth
