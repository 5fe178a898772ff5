import { Auth, customFetch } from "@latchkey/core"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { encode } from "@latchkey/core/jwt"
import type { AuthConfig } from "@latchkey/core/types"
import credentials from "@latchkey/core/providers/credentials"
import passkey from "@latchkey/core/providers/passkey"
import { cookiesOf } from "./stand-in.js"

/** An application and its log. Requests reach it unchanged. */
export interface Site {
  readonly name: string
  readonly errors: Error[]
  readonly csrf: string
  /** The cookies of a visitor with a valid CSRF token. */
  readonly cookies: string
  send(request: Request): Promise<Response>
}

export const origin = "https://app.test"
const secret = "kV3b9QmT7xZ1cW5yR8nL2pD6fH4jS0gAeUiOqBtMvXs"

const password = credentials({
  credentials: { name: { label: "Name" }, password: { type: "password" } },
  authorize: ({ name, password: typed }) =>
    typed === "open" ? { id: "id-ada", name: String(name).slice(0, 100) } : null,
})
const op = {
  id: "op",
  name: "Op",
  type: "oauth" as const,
  clientId: "client",
  clientSecret: "secret",
  authorization: "https://op.test/authorize",
  token: "https://op.test/token",
  userinfo: "https://op.test/userinfo",
  [customFetch]: () => Promise.reject(new TypeError("fetch failed")),
}
const mail = { id: "mail", name: "Mail", type: "email" as const, sendVerificationRequest: () => {} }

/** Applications with different configurations. */
export async function sites(): Promise<readonly Site[]> {
  const adapter = memoryAdapter()
  const stored = {
    adapter,
    providers: [op, mail, password, passkey()],
    session: { strategy: "jwt" },
    experimental: { enableWebAuthn: true },
  } as const
  return Promise.all([
    site("fixed", { url: `${origin}/auth`, ...stored }),
    site("strict", { url: `${origin}/auth`, security: "strict", ...stored }),
    site("listed", { trustHost: ["https://app.test"], providers: [op, password] }),
    site("stored", { url: `${origin}/auth`, adapter: memoryAdapter(), providers: [op, mail] }),
    site("own pages", {
      url: `${origin}/auth`,
      providers: [op, password],
      pages: { signIn: "/login?a=b", error: "/oops", signOut: "/bye", verifyRequest: "/mail", newUser: "/new" },
    }),
    site("proxy", {
      url: `${origin}/auth`,
      redirectProxyUrl: `${origin}/auth`,
      redirectProxyOrigins: [origin],
      providers: [op],
    }),
  ])
}

async function site(name: string, rest: Partial<AuthConfig> & Pick<AuthConfig, "providers">): Promise<Site> {
  const errors: Error[] = []
  const logger = { error: (error: Error) => void errors.push(error), warn: () => {}, debug: () => {} }
  const config: AuthConfig = { secret, rateLimit: false, logger, ...rest }
  const send = async (request: Request) => Auth(request, config)
  const response = await send(new Request(`${origin}/auth/csrf`))
  const body: unknown = await response.json()
  const csrf = typeof body === "object" && body !== null && "csrfToken" in body ? String(body.csrfToken) : ""
  const salt = "__Secure-authjs.session-token"
  const session = `${salt}=${await encode({ token: { sub: "id-ada", name: "Ada" }, secret, salt })}`
  return { name, errors, csrf, cookies: [cookiesOf(response), session].join("; "), send }
}
