import NextAuth, {
  type DefaultSession,
  getServerSession,
  type NextAuthOptions,
  type Session,
} from "@latchkey/next-auth-4"
import type { Adapter, AdapterUser } from "@latchkey/next-auth-4/adapters"
import { getToken, type JWT } from "@latchkey/next-auth-4/jwt"
import { withAuth } from "@latchkey/next-auth-4/middleware"
import CredentialsProvider from "@latchkey/next-auth-4/providers/credentials"
import EmailProvider from "@latchkey/next-auth-4/providers/email"
import GithubProvider, { type GithubProfile } from "@latchkey/next-auth-4/providers/github"
import GoogleProvider from "@latchkey/next-auth-4/providers/google"
import { signIn, useSession } from "@latchkey/next-auth-4/react"
import type { GetServerSidePropsContext, NextApiRequest, NextApiResponse } from "next"
import { expectTypeOf, test } from "vitest"

declare module "@latchkey/next-auth-4" {
  interface Session extends DefaultSession {
    user: { id: string; role: "admin" | "member" } & DefaultSession["user"]
  }
  interface User {
    role?: "admin" | "member"
  }
}

declare module "@latchkey/next-auth-4/jwt" {
  interface JWT {
    role?: "admin" | "member"
  }
}

declare const adapter: Adapter

// As create-t3-app wrote it for version 4.
const authOptions: NextAuthOptions = {
  callbacks: {
    session: ({ session, user }) => ({ ...session, user: { ...session.user, id: user.id } }),
    jwt({ token, user, account, profile, trigger, session }) {
      expectTypeOf(token.role).toEqualTypeOf<"admin" | "member" | undefined>()
      expectTypeOf(user.role).toEqualTypeOf<"admin" | "member" | undefined>()
      if (trigger === "update" && session?.role) token.role = session.role
      return { ...token, accessToken: account?.access_token, login: profile?.name }
    },
    async signIn({ user, account, email, credentials }) {
      expectTypeOf(email?.verificationRequest).toEqualTypeOf<boolean | undefined>()
      return account?.provider === "google" ? Boolean(user.email) : credentials !== undefined || "/waitlist"
    },
    redirect: ({ url, baseUrl }) => (url.startsWith("/") ? baseUrl + url : url),
  },
  adapter,
  session: { strategy: "jwt", maxAge: 60 },
  pages: { signIn: "/login" },
  theme: { colorScheme: "dark" },
  cookies: {
    sessionToken: { name: "my.session", options: { httpOnly: true, sameSite: "lax", path: "/", secure: true } },
  },
  providers: [
    GoogleProvider({ clientId: "id", clientSecret: "secret", authorization: { params: { prompt: "consent" } } }),
    GithubProvider({
      clientId: "id",
      clientSecret: "secret",
      profile: (profile: GithubProfile) => ({ id: String(profile.id), name: profile.login, role: "member" }),
    }),
    GoogleProvider({
      clientId: "id",
      clientSecret: "secret",
      profile: (profile) => ({ id: profile.sub, email: profile.email }),
      httpOptions: { timeout: 10_000 },
    }),
    EmailProvider({ server: { host: "smtp.test", port: 25 }, from: "no-reply@app.test" }),
    CredentialsProvider({
      name: "Password",
      credentials: { username: { label: "Username", type: "text" }, password: { type: "password" } },
      async authorize(credentials, req) {
        expectTypeOf(credentials).toEqualTypeOf<Record<"username" | "password", string> | undefined>()
        if (credentials?.password !== req.headers?.["x-password"]) return null
        return { id: "1", name: credentials?.username ?? null }
      },
    }),
    {
      id: "own",
      name: "Own",
      type: "oauth",
      wellKnown: "https://own.test/.well-known/openid-configuration",
      profile: (profile) => ({ id: profile.sub }),
    },
  ],
}

test("the patterns of version 4 compile", () => {
  expectTypeOf(NextAuth(authOptions)).toBeAny()
  expectTypeOf(NextAuth).toBeCallableWith({} as NextApiRequest, {} as NextApiResponse, authOptions)
  const read = async (context: GetServerSidePropsContext) => getServerSession(context.req, context.res, authOptions)
  expectTypeOf(read).returns.resolves.toEqualTypeOf<Session | null>()
  expectTypeOf(async () => getServerSession(authOptions)).returns.resolves.toEqualTypeOf<Session | null>()
  expectTypeOf(async (req: NextApiRequest) => getToken({ req })).returns.resolves.toEqualTypeOf<JWT | null>()
  expectTypeOf(async (req: NextApiRequest) => getToken({ req, raw: true })).returns.resolves.toBeString()
  expectTypeOf(useSession({ required: true }).data).toEqualTypeOf<Session | null>()
  expectTypeOf(async () => (await signIn("credentials", { redirect: false }))?.error).returns.resolves.toEqualTypeOf<
    string | null | undefined
  >()
  expectTypeOf<AdapterUser["role"]>().toEqualTypeOf<"admin" | "member" | undefined>()
  withAuth({ callbacks: { authorized: ({ token }) => token?.role === "admin" }, pages: { signIn: "/login" } })
  withAuth((request) => expectTypeOf(request.nextauth.token).toEqualTypeOf<JWT | null>() as never, {})
})
