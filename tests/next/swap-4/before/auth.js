import { getServerSession } from "next-auth/next"
import CredentialsProvider from "next-auth/providers/credentials"
import { callbacks, credentials } from "./shared"

export const authOptions = {
  providers: [CredentialsProvider(credentials)],
  session: { strategy: "jwt" },
  callbacks,
}

export const serverSession = () => getServerSession(authOptions)

export const pagesSession = (req, res) => getServerSession(req, res, authOptions)
