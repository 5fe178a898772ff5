import { DatabaseSync } from "node:sqlite"
import { type Authenticator, createAuthenticator, oneTimeCode } from "@latchkey/testing"
import { formerModule, poolOf } from "./install.js"

export const secret = "the-secret-of-better-auth-0123456789abcdef"

/** The password of every user. */
export const typed = "former pass phrase"

/** What the users of an application with Better Auth have. */
export interface FormerSite {
  /** Has Ada's passkey. */
  readonly authenticator: Authenticator
  /** Of Ada's authenticator app. */
  readonly key: string
  /** The value of Ada's session cookie. */
  readonly cookie: string
}

interface Auth {
  readonly handler: (request: Request) => Promise<Response>
  readonly $context: Promise<{
    readonly internalAdapter: { readonly createAccount: (account: object) => Promise<unknown> }
  }>
}

/** Makes the tables with the real library, through the requests that its pages send. */
export async function makeBetterAuth(folder: string, url: string): Promise<FormerSite> {
  const { betterAuth } = await formerModule<{ betterAuth: (options: object) => Auth }>(folder, "better-auth")
  const { getMigrations } = await formerModule<{
    getMigrations: (options: object) => Promise<{ readonly runMigrations: () => Promise<void> }>
  }>(folder, "better-auth/db/migration")
  const { twoFactor } = await formerModule<{ twoFactor: () => object }>(folder, "better-auth/plugins")
  const { passkey } = await formerModule<{ passkey: (options: object) => object }>(folder, "@better-auth/passkey")
  const database = url.startsWith("file:") ? new DatabaseSync(url.slice("file:".length)) : await poolOf(folder, url)
  const options = {
    secret,
    baseURL: "https://app.test",
    database,
    emailAndPassword: { enabled: true },
    plugins: [twoFactor(), passkey({ rpID: "app.test", rpName: "App", origin: "https://app.test" })],
    rateLimit: { enabled: false },
    logger: { disabled: true },
  }
  await (await getMigrations(options)).runMigrations()
  try {
    return await signUp(betterAuth(options), async (sql) => {
      if (database instanceof DatabaseSync) database.exec(sql)
      else await database.query(sql)
    })
  } finally {
    if (database instanceof DatabaseSync) database.close()
    else await database.end()
  }
}

/** Ada has everything. Grace has an email that isn't verified. */
async function signUp(auth: Auth, execute: (sql: string) => Promise<void>): Promise<FormerSite> {
  await new Tab(auth).send("/sign-up/email", { email: "grace@users.test", name: "Grace", password: typed })
  const tab = new Tab(auth)
  const { user } = await tab.send("/sign-up/email", { email: "ada@users.test", name: "Ada", password: typed })
  await execute(`update "user" set "emailVerified" = (1 = 1) where name = 'Ada'`)
  const { internalAdapter } = await auth.$context
  await internalAdapter.createAccount({
    userId: (user as { readonly id: string }).id,
    providerId: "github",
    accountId: "4242",
    accessToken: "a token of GitHub",
  })
  const authenticator = createAuthenticator({ origin: "https://app.test" })
  const creation = await tab.send("/passkey/generate-register-options")
  const response = await authenticator.create(creation as never)
  await tab.send("/passkey/verify-registration", { response, name: "Ada's phone" })
  const { totpURI } = await tab.send("/two-factor/enable", { password: typed })
  const key = new URL(String(totpURI)).searchParams.get("secret") ?? ""
  await tab.send("/two-factor/verify-totp", { code: oneTimeCode(key) })
  return { authenticator, key, cookie: tab.cookies.get("__Secure-better-auth.session_token") ?? "" }
}

class Tab {
  readonly cookies: Map<string, string> = new Map()
  readonly #auth: Auth

  constructor(auth: Auth) {
    this.#auth = auth
  }

  async send(path: string, body?: object): Promise<Readonly<Record<string, unknown>>> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ")
    const headers = { cookie, origin: "https://app.test", "content-type": "application/json" }
    const sent = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) }
    const response = await this.#auth.handler(new Request(`https://app.test/api/auth${path}`, sent))
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.cookies.set(name, value)
    }
    // The library answers with an object.
    return (await response.json()) as Record<string, unknown>
  }
}
