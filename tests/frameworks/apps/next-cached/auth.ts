import NextAuth from "@latchkey/next"
import { authConfig } from "./auth.config"

/** A page inside `<Suspense>` can't redirect before it's sent, so the proxy does. */
export const { handlers, auth, requireSession, signIn, signOut, update, csrfToken } = NextAuth({
  ...authConfig,
  callbacks: {
    ...authConfig.callbacks,
    authorized: ({ request, auth }) => auth !== null || request.nextUrl.pathname !== "/account",
  },
})
