import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { csrfPair, secret, sessionOf, typed } from "../http/app.js"
import { cookiesOf, type Door, door, warnings } from "./door-setup.js"

const production = { url: undefined, trustHost: ["app.test"], environment: "production" } as const

/** How a request of a public site says that it came over http. */
const plain: readonly (readonly [at: string, headers: Record<string, string>])[] = [
  ["https://app.test", { "x-forwarded-proto": "http" }],
  ["https://app.test", { "x-forwarded-proto": "HTTP, https" }],
  ["http://app.test", {}],
  ["http://app.test:8080", {}],
  ["http://10.0.0.7:3000", { "x-forwarded-host": "app.test", "x-forwarded-proto": "http" }],
]

attack("CK-06", "no request makes the cookies of a public site in production insecure", async (mode) => {
  for (const [at, headers] of plain) {
    const app = door(mode, production, at)
    const send = async (path: string, init: RequestInit = {}) =>
      app.send(path, {
        ...init,
        headers: { ...headers, origin: "https://app.test", "sec-fetch-site": "same-origin", ...init.headers },
      })
    const { token, cookie } = await csrfPair(send)
    const body = new URLSearchParams({ csrfToken: token, name: "ada", password: "open" })
    const signedIn = await send("/auth/callback/credentials", { method: "POST", body, headers: { cookie } })
    const begun = await send("/auth/signin/op", { method: "POST", body, headers: { cookie } })
    const lines = [signedIn, begun].flatMap((response) => response.headers.getSetCookie())
    expect(lines.length, at).toBeGreaterThan(1)
    for (const line of lines) {
      expect(line, at).toMatch(/; Secure/)
      expect(line, at).toMatch(/^__(?:Host|Secure)-/)
    }
    const session = await send("/auth/session", { headers: { cookie: cookiesOf(signedIn) } })
    expect(await session.json(), at).toMatchObject({ user: { name: "ada" } })
    expect(reported(app), at).toHaveLength(1)
  }
})

attack("CK-06", "an insecure cookie isn't accepted on a public site in production", async (mode) => {
  for (const [at, headers] of plain) {
    const app = door(mode, { ...production, adapter: undefined, session: { strategy: "jwt" }, providers: [typed] }, at)
    const cookie = `authjs.session-token=${await sessionOf({}, 60, "authjs.session-token")}`
    const response = await app.get("/auth/session", { ...headers, cookie })
    expect([await response.json(), response.headers.getSetCookie()], at).toEqual([null, []])
  }
})

function reported(app: Door): readonly string[] {
  return warnings(app).filter((text) => text.includes("insecure-request"))
}

/** Sites that Auth.js serves over http. */
const insecure: readonly (readonly [rest: Partial<AuthConfig>, at: string])[] = [
  [{ url: "http://app.test/auth" }, "http://app.test"],
  [{ trustHost: ["http://app.test"] }, "http://app.test"],
  [{ trustHost: ["app.test"], useSecureCookies: false }, "http://app.test"],
  [{ trustHost: ["app.test"], environment: "development" }, "http://app.test"],
  [{ trustHost: ["localhost"] }, "http://localhost:3000"],
  [{ trustHost: ["127.0.0.1"] }, "http://127.0.0.1:3000"],
  [{ trustHost: ["192.168.1.5"] }, "http://192.168.1.5"],
  [{ trustHost: ["intranet"] }, "http://intranet"],
  [{ trustHost: ["printer.local"] }, "http://printer.local"],
]

attack("CK-06", "a site that isn't public, or is configured for http, has cookies for http", async (mode) => {
  for (const [rest, at] of insecure) {
    const app = door(mode, { ...production, ...rest }, at)
    const { cookie } = await csrfPair(app.send)
    expect([cookie.split("=", 1)[0], reported(app)], at).toEqual(["authjs.csrf-token", []])
  }
})

attack("CK-06", "behind a proxy that doesn't send X-Forwarded-Proto, AUTH_URL decides", async (mode) => {
  const app = door(mode, { environment: "production" }, "http://10.0.0.7:3000")
  const { cookie } = await csrfPair(app.send)
  expect([cookie.split("=", 1)[0], reported(app)]).toEqual(["__Host-authjs.csrf-token", []])
  const server = createServer({ secret, logger: app.log.logger, providers: [], security: mode, ...production })
  const headers = new Headers({ host: "app.test", "x-forwarded-proto": "http" })
  expect(await server.session({ headers })).toMatchObject({ session: null, cookies: [] })
})
