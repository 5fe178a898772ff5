import NextAuth from "@latchkey/next"
import { authConfig } from "./auth.config"

export const { handlers, auth, requireSession, signIn, signOut, update, csrfToken, token } = NextAuth(authConfig)
