import { Auth } from "@latchkey/core"
import { encode } from "@latchkey/core/jwt"
import type { AuthConfig } from "@latchkey/core/types"
import credentials from "@latchkey/core/providers/credentials"
import { captureLog, type CapturedLog, createProvider, visit } from "@latchkey/testing"
import { trackSecret, trackConfig, trackCookies, trackFields } from "../../../testing/src/secrets.js"
import { ownRuntime } from "../own-runtime.js"

export const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGpR5aJ0eKdV7"
export const origin = "https://app.test"
export const sessionCookie = "__Secure-authjs.session-token"
export const csrfCookie = "__Host-authjs.csrf-token"
export const callbackCookie = "__Secure-authjs.callback-url"

export const op = createProvider()

/** Signs in any name that comes with the right password. */
export const typed = credentials({
  credentials: { name: { label: "Name" }, password: { type: "password" } },
  authorize: ({ name, password }) =>
    password === "open" ? { id: `id-${String(name)}`, name: String(name), email: `${String(name)}@app.test` } : null,
})

export interface App {
  readonly log: CapturedLog
  /** Sends one request, without a cookie jar. */
  send(path: string, init?: RequestInit): Promise<Response>
  get(path: string, headers?: Record<string, string>): Promise<Response>
  /** A form post with a valid CSRF token. */
  post(path: string, fields?: Record<string, string>, headers?: Record<string, string>): Promise<Response>
}

/** An app for requests that no browser sends. Its configuration is frozen. */
export function app(given: Partial<AuthConfig> = {}, at: string = origin): App {
  const log = captureLog()
  const config: AuthConfig = Object.freeze({
    secret,
    trustHost: true,
    logger: log.logger,
    providers: [typed],
    runtime: ownRuntime(),
    ...given,
  })
  trackConfig(config)
  const send = async (path: string, init?: RequestInit) => {
    const response = await Auth(new Request(at + path, init), config)
    trackCookies(response.headers.getSetCookie())
    return response
  }
  return {
    log,
    send,
    get: async (path, headers = {}) => send(path, { headers }),
    async post(path, fields = {}, headers = {}) {
      const { token, cookie } = await csrfPair(send)
      const cookies = [cookie, headers["cookie"]].filter((each) => each !== undefined).join("; ")
      const body = new URLSearchParams({ csrfToken: token, ...fields })
      trackFields(body)
      return send(path, { method: "POST", body, headers: { ...headers, cookie: cookies } })
    },
  }
}

/** A CSRF token and its cookie. */
export async function csrfPair(send: App["send"]): Promise<{ readonly token: string; readonly cookie: string }> {
  const response = await send("/auth/csrf")
  const body: unknown = await response.json()
  const token = typeof body === "object" && body !== null && "csrfToken" in body ? String(body.csrfToken) : ""
  return { token, cookie: response.headers.getSetCookie()[0]?.split(";")[0] ?? "" }
}

/** The value of a session cookie under strategy `jwt`. */
export async function sessionOf(
  claims: Record<string, unknown>,
  maxAge?: number,
  salt: string = sessionCookie,
): Promise<string> {
  const given = { sub: "id-ada", name: "ada", ...claims }
  const value = await encode({ token: given, secret, salt, ...(maxAge !== undefined && { maxAge }) })
  trackSecret("session token", value)
  return value
}

export function setCookies(response: Response): readonly string[] {
  return response.headers.getSetCookie()
}

/** `Set-Cookie` lines by name. */
export function cookieNames(response: Response): readonly string[] {
  return setCookies(response).map((line) => line.split("=", 1)[0] ?? "")
}

export function location(response: Response): string | null {
  return response.headers.get("location")
}

/** A browser that is signed in as ada. */
export async function signedIn(config: Partial<AuthConfig> = {}, options: Parameters<typeof visit>[1] = {}) {
  const browser = await visit({ providers: [typed], ...config }, options)
  await browser.signIn("credentials", { name: "ada", password: "open" })
  return browser
}
