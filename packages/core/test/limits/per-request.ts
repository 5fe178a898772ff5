import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { Auth } from "@latchkey/core"
import credentials from "@latchkey/core/providers/credentials"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog } from "@latchkey/testing"
import { csrfPair } from "../http/app.js"

/** How a request reaches the application, and what the application makes of it. */
export interface Turn {
  readonly host: string
  /** The spelling of the mount path, which is the base path of the configuration. */
  readonly basePath: string
  /** Whether the configuration of this turn has a new adapter. */
  readonly freshAdapter: boolean
  /** How many sessions are read with the configuration before the password is tried. */
  readonly reads: number
  readonly through: "Auth" | "server"
  readonly listOfSecrets: boolean
}

export interface PerRequest {
  /** How many passwords were checked. */
  readonly checked: () => number
  /** Tries a wrong password of the same user. Returns the status. */
  guess(turn: Turn): Promise<number>
}

const adapterOnce = memoryAdapter()

/** An application that makes its configuration, with new functions, for each request. */
export function perRequest(secret: string, rest: Partial<AuthConfig> = {}): PerRequest {
  let checked = 0
  const { logger } = captureLog()
  const make = ({ host, basePath, freshAdapter, listOfSecrets }: Turn): AuthConfig => ({
    secret: listOfSecrets ? [secret] : secret,
    url: `https://${host}`,
    basePath,
    adapter: freshAdapter ? memoryAdapter() : adapterOnce,
    session: { strategy: "jwt" },
    logger,
    callbacks: { redirect: ({ baseUrl }) => `${baseUrl}/?${host}` },
    providers: [
      credentials({
        credentials: { name: {}, password: {} },
        authorize: () => {
          checked += 1
          return null
        },
      }),
    ],
    ...rest,
  })
  return {
    checked: () => checked,
    async guess(turn) {
      const base = `https://${turn.host}${turn.basePath.replace(/\/+$/, "").replace(/^\/+/, "/")}`
      const config = make(turn)
      const server = createServer(config)
      const send = async (path: string, init?: RequestInit) => {
        const request = new Request(base + path.replace(/^\/auth/, ""), init)
        return turn.through === "Auth" ? Auth(request, config) : server.handle(request)
      }
      for (let read = 0; read < turn.reads; read++) await send("/auth/session")
      const { token, cookie } = await csrfPair(send)
      const body = new URLSearchParams({ csrfToken: token, name: "ada", password: "wrong" })
      return (await send("/auth/callback/credentials", { method: "POST", body, headers: { cookie } })).status
    },
  }
}
