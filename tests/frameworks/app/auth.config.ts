import { appendFileSync, existsSync } from "node:fs"
import type { AuthConfig } from "@latchkey/core"
import type { Adapter } from "@latchkey/core/adapters"
import credentials from "@latchkey/core/providers/credentials"
import passkey from "@latchkey/core/providers/passkey"
import { vault } from "@latchkey/core/tokens"
import { mfa } from "@latchkey/mfa"
import { sqlite } from "@latchkey/sql/sqlite"

const {
  BASE_PATH,
  BIG_CLAIMS,
  CALLS_FILE,
  DATABASE,
  FAULT_FILE,
  SECOND_FACTOR,
  SECURITY,
  SERVICES_URL,
  SIGN_IN_PAGE,
  STEP_UP,
  STRATEGY,
} = process.env
const updateAge = Number(process.env["UPDATE_AGE"] ?? 86_400)
const strategy = STRATEGY === "database" ? "database" : "jwt"
const adapter = observed(sqlite(DATABASE ?? ":memory:"))

/** The configuration of every application in tests/frameworks. Variables choose what a test needs. */
export const authConfig = {
  adapter,
  rateLimit: false,
  ...(BASE_PATH === undefined ? {} : { basePath: BASE_PATH }),
  ...(SIGN_IN_PAGE === undefined ? {} : { pages: { signIn: SIGN_IN_PAGE } }),
  ...(SECURITY === "strict" ? { security: "strict" as const } : {}),
  session: { strategy, updateAge, ...(STEP_UP === undefined ? {} : { stepUp: true }) },
  ...(STEP_UP === undefined ? {} : { tokens: vault }),
  experimental: { enableWebAuthn: true },
  ...(SECOND_FACTOR === undefined ? {} : { modules: [mfa()] }),
  providers: [
    credentials({
      credentials: { email: { label: "Email" }, password: { label: "Password", type: "password" } },
      authorize: ({ email, password }) => (password === "open sesame" ? userWith(String(email)) : null),
    }),
    // Issuer, id and secret are in AUTH_OP_ISSUER, AUTH_OP_ID and AUTH_OP_SECRET.
    { id: "op", name: "Acme", type: "oidc" },
    {
      id: "email",
      name: "Email",
      type: "email",
      maxAge: 600,
      async sendVerificationRequest({ url, code }) {
        await fetch(`${SERVICES_URL}/email`, { method: "POST", body: url })
        await fetch(`${SERVICES_URL}/code`, { method: "POST", body: code ?? "" })
      },
    },
    passkey,
  ],
  callbacks: {
    // Anyone who is signed in can send an update, with any content.
    jwt({ token, trigger, session }) {
      if (BIG_CLAIMS !== undefined) token["claims"] = "x".repeat(Number(BIG_CLAIMS))
      const name: unknown = session?.user?.name
      const isValid = trigger === "update" && typeof name === "string" && /^[\w ]{1,40}$/.test(name)
      return isValid ? { ...token, name } : token
    },
    session: ({ session, token, user }) => ({ ...session, user: { ...session.user, id: token?.sub ?? user.id } }),
  },
} satisfies AuthConfig

async function userWith(email: string) {
  const name = email.split("@")[0] ?? ""
  const user = { id: `id-${name}`, name, email, emailVerified: null }
  return (await adapter.getUser?.(user.id)) ?? adapter.createUser?.(user) ?? null
}

/** Writes the name of each called method to a file, and throws while another file exists. */
function observed(adapter: Adapter): Adapter {
  return new Proxy(adapter, {
    get(target, name, receiver) {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== "function") return method
      return async (...given: unknown[]): Promise<unknown> => {
        if (CALLS_FILE !== undefined) appendFileSync(CALLS_FILE, `${String(name)}\n`)
        if (FAULT_FILE !== undefined && existsSync(FAULT_FILE)) throw new Error("The store is down.")
        return method.apply(target, given)
      }
    },
  })
}
