import type { AuthConfig } from "@latchkey/core"
import Credentials from "@latchkey/core/providers/credentials"
import type { User } from "@latchkey/core/types"
import { sqlite } from "@latchkey/sql/sqlite"

const adapter = sqlite(process.env["DATABASE_FILE"] ?? "example.db")

/** Same in every example. The file `auth.ts` next to it creates the integration with the framework from it. */
export const authConfig = {
  security: "strict",
  adapter,
  session: { strategy: "jwt" },
  providers: [
    Credentials({
      credentials: {
        email: { label: "Email", type: "email", autocomplete: "username" },
        password: { label: "Password", type: "password", autocomplete: "current-password" },
      },
      authorize: ({ email, password }) => checkPassword(String(email), String(password)),
    }),
    {
      id: "email",
      name: "Email",
      type: "email",
      from: "Harbor <noreply@harbor.example>",
      // The example has no mail server.
      sendVerificationRequest: ({ identifier, url }) => console.log(`Sign-in link for ${identifier}: ${url}`),
    },
    // Its issuer, client ID and secret are in AUTH_OPENID_ISSUER, AUTH_OPENID_ID and AUTH_OPENID_SECRET.
    ...(process.env["AUTH_OPENID_ID"] ? [{ id: "openid", name: "OpenID", type: "oidc" } as const] : []),
  ],
  callbacks: {
    jwt({ token, trigger, session }) {
      // The browser can send any data. Take only the name, and validate it.
      const name = trigger === "update" ? validName(session.user.name) : undefined
      return name === undefined ? token : { ...token, name }
    },
    // The type of the session is what this returns, so `session.user.id` is a string everywhere.
    session: ({ session, token }) => ({ ...session, user: { ...session.user, id: token.sub ?? "" } }),
  },
} satisfies AuthConfig

/** The trimmed name, or `undefined` if it isn't valid. */
function validName(name: unknown): string | undefined {
  const trimmed = typeof name === "string" ? name.trim() : ""
  return trimmed !== "" && trimmed.length <= 60 ? trimmed : undefined
}

/** Base64 of a salt, and of a key that was derived from the password with it. */
interface HashedPassword {
  readonly salt: string
  readonly key: string
}

interface DemoUser {
  readonly name: string
  readonly email: string
  readonly password: HashedPassword
}

/** An application has these in its database. The passwords are `bernoulli` and `nanosecond`. */
const demoUsers: readonly DemoUser[] = [
  {
    name: "Ada Lovelace",
    email: "ada@harbor.example",
    password: { salt: "MQoS4pFYXzNbF3gYxVIalw==", key: "sidb8JLdcZR+zqwWT2KBQyHy5oFCP19YWFFJrs+oNBI=" },
  },
  {
    name: "Grace Hopper",
    email: "grace@harbor.example",
    password: { salt: "8iYTz29bBKMtvx+yn3Q9hQ==", key: "U1gDrh+HjUiXlWykOKRmIDlXdiYCBFNnjIBXfV5VUOg=" },
  },
]

async function checkPassword(email: string, password: string): Promise<User | null> {
  const known = demoUsers.find((user) => user.email === email.trim().toLowerCase())
  // Hash even for an unknown user, so that the response time doesn't reveal which emails have an account.
  const isCorrect = await verifyPassword(password, known?.password ?? { salt: "", key: "" })
  if (known === undefined || !isCorrect) return null
  const user = { id: crypto.randomUUID(), name: known.name, email: known.email, emailVerified: new Date() }
  return (await adapter.getUserByEmail(known.email)) ?? adapter.createUser(user)
}

async function verifyPassword(password: string, { salt, key }: HashedPassword): Promise<boolean> {
  const given = await crypto.subtle.importKey("raw", new TextEncoder().encode(password), "PBKDF2", false, [
    "deriveBits",
  ])
  const parameters = { name: "PBKDF2", hash: "SHA-256", salt: bytesOf(salt), iterations: 600_000 }
  const derived = new Uint8Array(await crypto.subtle.deriveBits(parameters, given, 256))
  const expected = bytesOf(key)
  // Compare every byte, so that the time doesn't depend on where they differ.
  const difference = derived.reduce((sum, byte, index) => sum | (byte ^ (expected[index] ?? 256)), 0)
  return difference === 0
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
}
