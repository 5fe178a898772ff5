import NextAuth from "@latchkey/next"
import { authorized } from "./authorized.js"
import { jwt, session } from "./callbacks.js"
import { CONFIG_ERROR, MAX_AGE, SECURITY, SIGN_IN_PAGE, STRATEGY, UPDATE_AGE } from "./env.js"

const numberFrom = (text) => (text === undefined ? undefined : Number(text))

export const { handlers, auth, requireSession, signIn, signOut, update, account } = NextAuth({
  providers: () => import("./providers.js"),
  adapter: process.env.NEXT_RUNTIME === "edge" ? undefined : () => import("./store.js"),
  session: { strategy: STRATEGY, updateAge: numberFrom(UPDATE_AGE), maxAge: numberFrom(MAX_AGE) },
  security: SECURITY,
  pages: { signIn: SIGN_IN_PAGE },
  rateLimit: false,
  experimental: { enableWebAuthn: true },
  callbacks: CONFIG_ERROR === "unprotected" ? { jwt, session } : { jwt, session, authorized },
})
