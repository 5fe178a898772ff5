import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import NextAuth, { type NextAuthConfig } from "@latchkey/next"
import credentials from "@latchkey/next/providers/credentials"
import { captureLog, frozenClock } from "@latchkey/testing"
import { NextRequest } from "next/server.js"
import { describe, expect, test } from "vitest"

const origin = "https://app.test"
const event = undefined as never

/** A site whose configuration is split: the proxy has no adapter. */
async function split() {
  const clock = frozenClock()
  const adapter = memoryAdapter()
  await adapter.createUser({ id: "1", name: "ada", email: "ada@app.test", emailVerified: null })
  const shared = {
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
    url: origin,
    security: "strict",
    session: { strategy: "jwt" },
    logger: captureLog().logger,
    runtime: clock.runtime,
    providers: [credentials({ credentials: { name: {} }, authorize: () => ({ id: "1", name: "ada" }) })],
    callbacks: { authorized: ({ auth }) => auth !== null },
  } satisfies NextAuthConfig
  const proxy = NextAuth(shared)
  const { handlers } = NextAuth({ ...shared, adapter })
  const jar = new Map<string, string>()
  const visit = (path: string, init: { method?: string; body?: URLSearchParams } = {}) =>
    new NextRequest(new URL(path, origin), {
      ...init,
      headers: { cookie: [...jar].map((pair) => pair.join("=")).join("; ") },
    })
  const keep = (response: Response) => {
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = (line.split(";", 1)[0] ?? "").split("=")
      if (value === "") jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }
  const csrf = keep(await handlers.GET(visit("/api/auth/csrf")))
  const { csrfToken } = (await csrf.json()) as { csrfToken: string }
  const body = new URLSearchParams({ csrfToken, name: "ada" })
  keep(await handlers.POST(visit("/api/auth/callback/credentials", { method: "POST", body })))
  return { clock, adapter, proxy, handlers, visit, keep, jar }
}

const location = (response: Response) => response.headers.get("location")
const passes = (response: Response) => response.headers.get("x-middleware-next") === "1"

describe("a proxy without the adapter", () => {
  test("has the session checked every five minutes, and the user notices nothing", async () => {
    const { clock, proxy, handlers, visit, keep } = await split()
    for (let turn = 0; turn < 3; turn++) {
      expect(passes(await proxy.auth(visit("/orders?page=2"), event))).toBe(true)
      clock.advance({ seconds: 301 })
      const sent = await proxy.auth(visit("/orders?page=2"), event)
      expect(location(sent)).toBe(`${origin}/api/auth/session?returnTo=%2Forders%3Fpage%3D2`)
      const back = keep(await handlers.GET(visit(location(sent) ?? "")))
      expect(location(back)).toBe(`${origin}/orders?page=2`)
    }
    expect(passes(await proxy.auth(visit("/orders?page=2"), event))).toBe(true)
  })

  test("sends the user to the sign-in page if the session was revoked", async () => {
    const { clock, adapter, proxy, handlers, visit, keep } = await split()
    await adapter.deleteSessions("1")
    clock.advance({ seconds: 301 })
    const sent = await proxy.auth(visit("/orders"), event)
    const back = keep(await handlers.GET(visit(location(sent) ?? "")))
    expect(location(back)).toBe(`${origin}/orders`)
    expect(location(await proxy.auth(visit("/orders"), event))).toContain("/api/auth/signin")
  })

  test("asks for no check of a form, of the auth routes or of a Route Handler", async () => {
    const { clock, proxy, visit } = await split()
    clock.advance({ seconds: 301 })
    expect(location(await proxy.auth(visit("/orders", { method: "POST" }), event))).toContain("/api/auth/signin")
    expect(passes(await proxy.auth(visit("/api/auth/session"), event))).toBe(true)
    const route = proxy.auth((request) => Response.json(request.auth))
    const answer = await route(visit("/api/orders"), { params: Promise.resolve({}) })
    expect(await answer?.json()).toBeNull()
  })

  test("the check leads nowhere else, and without a session to the sign-in page", async () => {
    const { handlers, visit, jar } = await split()
    for (const to of ["https://evil.test/", "//evil.test", "/\\evil.test", "javascript:alert(1)"]) {
      const back = await handlers.GET(visit(`/api/auth/session?returnTo=${encodeURIComponent(to)}`))
      expect(new URL(location(back) ?? "", origin).origin).toBe(origin)
    }
    jar.clear()
    const back = await handlers.GET(visit("/api/auth/session?returnTo=%2Forders"))
    expect(location(back)).toContain("/api/auth/signin?callbackUrl=")
  })
})
