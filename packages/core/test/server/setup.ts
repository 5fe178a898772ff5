import { Auth } from "@latchkey/core"
import type { SetCookie, Visitor } from "@latchkey/core/server"
import credentials from "@latchkey/core/providers/credentials"
import type { AuthConfig } from "@latchkey/core/types"
import { type CapturedLog, captureLog } from "@latchkey/testing"
import { trackSecret, trackConfig } from "../../../testing/src/secrets.js"
import { ownRuntime } from "../own-runtime.js"

export const secret = "only-for-tests-0123456789abcdefghij"

export const code = credentials({
  credentials: { name: {}, code: {} },
  authorize: ({ name, code }) => (code === "open" ? { id: String(name), name: String(name) } : null),
})

export function logged(rest: Partial<AuthConfig> = {}): { readonly config: AuthConfig; readonly log: CapturedLog } {
  const log = captureLog()
  const own = { secret, trustHost: true, providers: [code], logger: log.logger, runtime: ownRuntime() }
  const config = Object.freeze({ ...own, ...rest })
  trackConfig(config)
  return { config, log }
}

/** The Cookie header that a browser would send back. */
export function cookieHeader(cookies: readonly SetCookie[]): string {
  for (const { name, value } of cookies) trackSecret(`cookie ${name}`, value)
  return cookies
    .filter(({ value }) => value !== "")
    .map(({ name, value }) => `${name}=${value}`)
    .join("; ")
}

export function visitor(cookies: readonly SetCookie[] = [], headers: Record<string, string> = {}): Visitor {
  const cookie = cookieHeader(cookies)
  return { headers: new Headers({ ...(cookie !== "" && { cookie }), ...headers }), origin: "https://app.test" }
}

export function levels(log: CapturedLog): readonly string[] {
  return log.entries.filter(({ level }) => level === "error").map(({ message }) => message)
}

/** The origin used in the response to a request. */
export async function servedOrigin(config: AuthConfig, url: string, headers: Record<string, string> = {}) {
  const response = await Auth(new Request(url, { headers }), config)
  if (response.status !== 200) return response.status
  const body: unknown = await response.json()
  const address = typeof body === "object" && body !== null && "credentials" in body ? body.credentials : undefined
  const found =
    typeof address === "object" && address !== null && "signinUrl" in address ? String(address.signinUrl) : ""
  return new URL(found).origin
}
