import { getServerSession } from "next-auth"
import CredentialsProvider from "next-auth/providers/credentials"
import { decode, encode } from "./codec"
import { pages, sessionCookie } from "./names"

const cookie = (name) => ({ name, options: { httpOnly: true, sameSite: "lax", path: "/", secure: false } })

export const authOptions = {
  secret: process.env.NEXTAUTH_SECRET,
  session: { strategy: "jwt", maxAge: 3600 },
  jwt: { encode, decode },
  cookies: { sessionToken: cookie(sessionCookie), csrfToken: cookie("acme.csrf-token") },
  pages,
  providers: [
    CredentialsProvider({
      id: "credentials",
      name: "Email and password",
      credentials: { email: { label: "Email", type: "email" }, password: { label: "Password", type: "password" } },
      async authorize(credentials, req) {
        if (!credentials?.email) throw new Error("Enter your email")
        if (credentials.password !== "open sesame")
          throw new Error(`Wrong password for ${credentials.email} & co: try again`)
        return { id: "1", name: "Ada", email: credentials.email, role: "member", via: req.body.via ?? req.method }
      },
    }),
    {
      id: "acme",
      name: "Acme",
      type: "oauth",
      wellKnown: `${process.env.ISSUER}/.well-known/openid-configuration`,
      clientId: process.env.CLIENT_ID,
      clientSecret: process.env.CLIENT_SECRET,
      authorization: { params: { scope: "openid email profile" } },
      idToken: true,
      checks: ["pkce", "state"],
      httpOptions: { timeout: 10_000, headers: { "x-app": "acme" } },
      profile: (profile) => ({ id: profile.sub, name: profile.name, email: profile.email, role: "admin" }),
    },
  ],
  callbacks: {
    async signIn({ user, account }) {
      if (user.email === "eve@acme.test") return "/auth/error?error=blocked"
      return account !== null
    },
    async jwt({ token, user, account, trigger, session }) {
      if (user) Object.assign(token, { role: user.role, via: user.via ?? account?.provider })
      if (trigger === "update" && typeof session?.name === "string") token.name = session.name
      return token
    },
    async session({ session, token }) {
      session.user = { ...session.user, id: token.sub, role: token.role, via: token.via }
      return session
    },
    async redirect({ url, baseUrl }) {
      return url.startsWith("/") ? `${baseUrl}${url}` : new URL(url).origin === baseUrl ? url : baseUrl
    },
  },
}

const headerOf = ({ headers }, name) => (typeof headers.get === "function" ? headers.get(name) : headers[name])

/** Each tenant has its own options. The header stands for its domain. */
export function optionsFor(req) {
  const tenant = headerOf(req, "x-tenant") ?? "default"
  return {
    ...authOptions,
    callbacks: {
      ...authOptions.callbacks,
      session: async (params) => ({ ...(await authOptions.callbacks.session(params)), tenant }),
    },
  }
}

export const getServerAuthSession = ({ req, res }) => getServerSession(req, res, optionsFor(req))
