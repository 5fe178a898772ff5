import NextAuth, { type NextAuthConfig } from "@latchkey/next"
import { captureLog } from "@latchkey/testing"
import { NextRequest } from "next/server.js"
import { describe, expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"

const origin = "https://app.test"

function guarding(security: Mode, config: Partial<NextAuthConfig> = {}) {
  const log = captureLog()
  const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"
  const { auth } = NextAuth({ secret, url: origin, providers: [], security, logger: log.logger, ...config })
  const ask = async (path: string, headers: Record<string, string> = {}) =>
    auth(new NextRequest(origin + path, { headers }), undefined as never)
  return { ask, log }
}

describe("the middleware", () => {
  attack("MW-02", "warns in development that it protects nothing without `authorized`", async (mode) => {
    const open = guarding(mode, { environment: "development" })
    await open.ask("/dashboard")
    expect(open.log.entries).toContainEqual(expect.objectContaining({ level: "warn", message: "nothing-protected" }))
    const closed = guarding(mode, { environment: "development", callbacks: { authorized: () => false } })
    expect((await closed.ask("/dashboard")).status).toBe(307)
    expect(closed.log.entries.map(({ message }) => message)).not.toContain("nothing-protected")
  })

  attack("MW-03", "rejects a request if `authorized` returns a falsy value or throws", async (mode) => {
    for (const value of [undefined, null, 0, "", Number.NaN, Promise.resolve(), Promise.resolve(false)]) {
      const { ask } = guarding(mode, { callbacks: { authorized: (() => value) as never } })
      const response = await ask("/dashboard")
      expect([response.status, response.headers.has("x-middleware-next")], String(value)).toEqual([307, false])
    }
    for (const value of ["yes", 1, {}, []]) {
      const { ask } = guarding(mode, { callbacks: { authorized: () => value } })
      expect((await ask("/dashboard")).headers.has("x-middleware-next"), String(value)).toBe(true)
    }
    const failing = guarding(mode, { callbacks: { authorized: () => Promise.reject(new Error("no answer")) } })
    await expect(failing.ask("/dashboard")).rejects.toThrow("no answer")
  })

  attack(
    "MW-03",
    "a wrapped function isn't called without `authorized` under strict, and decides itself under compatible",
    async (mode) => {
      const log = captureLog()
      const { auth } = NextAuth({
        secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
        url: origin,
        providers: [],
        security: mode,
        environment: "development",
        logger: log.logger,
        callbacks: { authorized: () => null },
      })
      const wrapped = auth(({ auth }) => Response.json({ auth }, { status: 403 }))
      const response = await wrapped(new NextRequest(`${origin}/dashboard`), undefined)
      const warnings = log.entries.filter(({ message }) => message === "authorized-ignored")
      expect([response.status, warnings.length]).toEqual(mode === "strict" ? [307, 0] : [403, 1])
    },
  )

  attack("MW-01", "doesn't mistake a page for an auth route, however the path is written", async (mode) => {
    const { ask } = guarding(mode, { callbacks: { authorized: () => false } })
    const paths = [
      "//dashboard",
      "/DASHBOARD",
      "/%64ashboard",
      "/dashboard.",
      "/dashboard/..;/",
      "/api/auth/../../dashboard",
    ]
    for (const path of [...paths, "/api/auth%2fsession", "/api/auth/session%2f..%2fdashboard", "/api/authsession"]) {
      const response = await ask(path, { "x-middleware-subrequest": "middleware:middleware:middleware" })
      expect(response.headers.has("x-middleware-next"), path).toBe(false)
    }
  })

  attack("ADV-NA-15", "finds no session if the configuration is invalid", async (mode) => {
    const seen: unknown[] = []
    const callbacks: NextAuthConfig["callbacks"] = { authorized: ({ auth }) => (seen.push(auth), auth !== null) }
    for (const fault of [{ secret: "" }, { url: "nonsense" }, { url: undefined, trustHost: false }]) {
      const response = await guarding(mode, { ...fault, callbacks }).ask("/dashboard")
      expect(response.headers.has("x-middleware-next")).toBe(false)
    }
    expect(seen).toEqual([null, null, null])
  })
})
