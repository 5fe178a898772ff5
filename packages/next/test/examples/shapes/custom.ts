import NextAuth, { CredentialsSignin, type NextAuthConfig, type Profile, type User } from "next-auth"
import type { OAuthConfig, OAuthUserConfig, OIDCConfig, Provider } from "next-auth/providers"
import Credentials from "next-auth/providers/credentials"
import Email from "next-auth/providers/email"
import Facebook from "next-auth/providers/facebook"
import GitHub from "next-auth/providers/github"
import Resend from "next-auth/providers/resend"

export interface AcmeProfile extends Record<string, unknown> {
  sub: string
  nickname: string
  picture: { data: { url: string } }
}

/** A profile with a picture that isn't text. */
export interface PictureProfile extends Profile {
  picture: { data: { url: string } }
}

export function Acme<P extends AcmeProfile>(options: OAuthUserConfig<P> & { tenant?: string }): OAuthConfig<P> {
  return {
    id: "acme",
    name: "Acme",
    type: "oauth",
    authorization: { url: "https://acme.test/authorize", params: { scope: "profile email" } },
    token: {
      url: "https://acme.test/token",
      async conform(response: Response) {
        const body = await response.json()
        return Response.json({ ...body, token_type: "bearer" }, response)
      },
    },
    userinfo: {
      url: "https://acme.test/me",
      async request({ tokens, provider }: any) {
        const response = await fetch(provider.userinfo?.url as URL, {
          headers: { Authorization: `Bearer ${tokens.access_token}` },
        })
        return await response.json()
      },
    },
    client: { token_endpoint_auth_method: "client_secret_post" },
    checks: ["pkce", "state"],
    profile(profile) {
      return { id: profile.sub, name: profile.nickname, email: null, image: profile.picture.data.url }
    },
    style: { bg: "#fff", text: "#000", brandColor: "#123456", logo: "/acme.svg" },
    options,
  }
}

class InvalidLoginError extends CredentialsSignin {
  code = "Invalid identifier or password"
}

const method: string = process.env.METHOD ?? "none"
const jwks: string | undefined = process.env.JWKS

const oidc: OIDCConfig<{ sub: string; name: string }> = {
  id: "sso",
  name: "SSO",
  type: "oidc",
  issuer: "https://sso.test",
  wellKnown: "https://sso.test/.well-known/openid-configuration",
  jwks_endpoint: jwks,
  client: { token_endpoint_auth_method: method, id_token_signed_response_alg: "ES256" },
  checks: ["pkce", "nonce"],
  idToken: true,
  profile: (profile, tokens) => ({ id: profile.sub, name: profile.name, image: tokens.scope }),
}

const providers: Provider[] = [
  GitHub,
  Facebook,
  oidc,
  Acme({ clientId: "a", clientSecret: "b", tenant: "c" }),
  Resend({ from: "no-reply@site.test", apiKey: process.env.RESEND_KEY }),
  Email({
    server: { host: process.env.EMAIL_HOST, port: Number(process.env.EMAIL_PORT), auth: { user: "u", pass: "p" } },
    from: process.env.EMAIL_FROM,
    maxAge: 10 * 60,
    generateVerificationToken: () => crypto.randomUUID(),
    async sendVerificationRequest({ identifier: email, url, provider, theme, token, expires }) {
      const { host } = new URL(url)
      console.log(email, host, provider.from, theme.brandColor, token, expires.getTime())
    },
  }),
  Credentials({
    id: "domain-login",
    name: "Domain account",
    credentials: {
      email: { label: "Email", type: "email", placeholder: "you@site.test" },
      password: { label: "Password", type: "password" },
      remember: {},
    },
    authorize: async (credentials, request): Promise<User | null> => {
      if (!credentials?.password) throw new InvalidLoginError()
      const email = credentials.email as string
      if (request.headers.get("x-block")) throw new Error("blocked")
      return { id: "7", email, role: "ADMIN" }
    },
  }),
]

export const providerMap = providers
  .map((provider) => {
    if (typeof provider === "function") {
      const providerData = provider()
      return { id: providerData.id, name: providerData.name }
    }
    return { id: provider.id, name: provider.name }
  })
  .filter((provider) => provider.id !== "credentials")

export const config: NextAuthConfig = {
  providers,
  pages: { signIn: "/login", newUser: "/welcome", verifyRequest: "/check" },
  theme: { logo: "/logo.png", brandColor: "#000", buttonText: "#fff", colorScheme: "light" },
  cookies: {
    sessionToken: {
      name: "session",
      options: { httpOnly: true, sameSite: "lax", path: "/", secure: true, domain: ".site.test" },
    },
  },
  secret: process.env.AUTH_SECRET,
  debug: process.env.NODE_ENV !== "production",
  logger: {
    error(code) {
      console.error(code.name, code)
    },
    warn: (code) => console.warn(code),
    debug: (code, metadata) => console.log(code, metadata),
  },
  session: { strategy: "database", generateSessionToken: () => crypto.randomUUID() },
  jwt: { maxAge: 60, encode: async () => "token", decode: async () => null },
  callbacks: {
    authorized: async ({ auth, request }) => {
      if (request.method === "POST") return Response.json("Invalid", { status: 401 })
      return !!auth?.user
    },
    session({ session, user }) {
      session.user.id = user.id
      session.user.role = user.role ?? "USER"
      return session
    },
    async jwt({ token, user, account, profile }) {
      if (user) token.role = user.role
      if (account?.provider === "facebook") token.picture = profile?.picture?.data?.url
      if (account && user) return { ...token, id: user.id, access_token: account.access_token }
      return token
    },
  },
}

export const { handlers, auth } = NextAuth(config)
