import NextAuth from "@latchkey/next"
import { authorized } from "./authorized.js"
import { jwt, session } from "./callbacks.js"
import { FAULT, MAX_AGE, SECURITY, SIGN_IN_PAGE, STRATEGY, UPDATE_AGE } from "./env.js"

const seconds = (text) => (text === undefined ? undefined : Number(text))

export const { handlers, auth, requireSession, signIn, signOut, update } = NextAuth({
  providers: () => import("./providers.js"),
  adapter: process.env.NEXT_RUNTIME === "edge" ? undefined : () => import("./store.js"),
  session: { strategy: STRATEGY, updateAge: seconds(UPDATE_AGE), maxAge: seconds(MAX_AGE) },
  security: SECURITY,
  pages: { signIn: SIGN_IN_PAGE },
  rateLimit: false,
  callbacks: FAULT === "unprotected" ? { jwt, session } : { jwt, session, authorized },
})
