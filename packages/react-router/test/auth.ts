import { ReactRouterAuth } from "@latchkey/react-router"
import credentials from "@latchkey/react-router/providers/credentials"

const password = credentials({
  credentials: { name: {}, password: {} },
  authorize: ({ name, password }) => (password === "open sesame" ? { id: String(name), name: String(name) } : null),
})

const env = { AUTH_SECRET: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw", AUTH_URL: "https://app.test" }

/** Renews the session at every read. */
export const auth = ReactRouterAuth(
  {
    providers: [password],
    session: { updateAge: 0 },
    callbacks: {
      jwt: ({ token, trigger, session }) =>
        trigger === "update" && session.user.name ? { ...token, name: session.user.name } : token,
    },
  },
  { env: () => env },
)
