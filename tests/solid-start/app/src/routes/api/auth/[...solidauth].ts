import {
  type Account,
  CredentialsSignin,
  type Session,
  SolidAuth,
  type SolidAuthConfig,
  type User,
} from "@auth/solid-start"
import Credentials from "@auth/solid-start/providers/credentials"

class Locked extends CredentialsSignin {
  code = "locked"
}

export const authOpts: SolidAuthConfig = {
  // Without it, @auth/solid-start answers 400 to every request.
  basePath: "/api/auth",
  prefix: "/api/auth",
  trustHost: true,
  debug: false,
  providers: [
    Credentials({
      id: "credentials",
      credentials: { name: {}, password: { type: "password" } },
      authorize(typed): User | null {
        const name = String(typed.name)
        if (name === "locked") throw new Locked()
        return typed.password === "open sesame" ? { id: `id-${name}`, name, email: `${name}@users.test` } : null
      },
    }),
    {
      id: "op",
      name: "Acme",
      type: "oidc",
      issuer: process.env.AUTH_OP_ISSUER,
      clientId: process.env.AUTH_OP_ID,
      clientSecret: process.env.AUTH_OP_SECRET,
    },
  ],
  callbacks: {
    jwt: ({ token, account }: { token: object; account?: Account | null }) => ({
      ...token,
      ...(account ? { provider: account.provider } : {}),
    }),
    session: ({ session }: { session: Session }) => session,
  },
}

export const { GET, POST } = SolidAuth(authOpts)
