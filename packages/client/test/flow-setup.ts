import { memoryAdapter } from "../../adapter-kit/src/memory.js"
import { createAuthClient } from "@latchkey/client"
import { createFlow, type Flow } from "@latchkey/client/flow"
import credentials from "@latchkey/core/providers/credentials"
import Passkey from "@latchkey/core/providers/passkey"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig, EmailConfig, VerificationRequest } from "@latchkey/core/types"
import { captureLog, createProvider } from "@latchkey/testing"
import { strongSecret } from "../../core/test/modes/setup.js"

export const origin = "https://app.test"

export interface FlowSite {
  readonly flow: Flow
  readonly client: ReturnType<typeof createAuthClient>
  readonly sent: readonly VerificationRequest[]
  /** Paths of the requests. */
  readonly paths: readonly string[]
  /** Messages for `onError`. */
  readonly errors: readonly string[]
  readonly went: readonly string[]
  /** The next requests fail as without a network. */
  disconnect(): void
}

export const op = createProvider()

/** A server without a network in between, and the cookies of one browser. */
export function flowSite(more: Partial<AuthConfig> = {}): FlowSite {
  const sent: VerificationRequest[] = []
  const [cookies, paths, errors, went] = [new Map<string, string>(), [] as string[], [] as string[], [] as string[]]
  let isConnected = true
  const email: EmailConfig = {
    id: "mail",
    name: "Email",
    type: "email",
    sendVerificationRequest: (message) => void sent.push(message),
  }
  const server = createServer({
    secret: strongSecret,
    url: `${origin}/auth`,
    logger: captureLog().logger,
    adapter: memoryAdapter(),
    session: { strategy: "jwt" },
    experimental: { enableWebAuthn: true },
    security: { passkeySignUp: true },
    providers: [
      op.provider(),
      email,
      Passkey,
      credentials({
        credentials: { name: {}, password: { type: "password" } },
        authorize: ({ name, password }) => (password === "open sesame" ? { id: "1", name: String(name) } : null),
      }),
    ],
    ...more,
  })
  const browserFetch: typeof fetch = async (input, init) => {
    if (!isConnected) throw new TypeError("Failed to fetch")
    const request = new Request(input, init)
    request.headers.set("cookie", [...cookies].map((pair) => pair.join("=")).join("; "))
    paths.push(new URL(request.url).pathname)
    const response = await server.handle(request)
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";")
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1))
    }
    return response
  }
  const client = createAuthClient({
    baseUrl: origin,
    fetch: browserFetch,
    navigate: (url) => void went.push(url),
    onError: ({ message }) => void errors.push(message),
  })
  return {
    flow: createFlow(client),
    client,
    sent,
    paths,
    errors,
    went,
    disconnect: () => {
      isConnected = false
    },
  }
}
