import { createIntegration, type Framework } from "@latchkey/core/integration"
import credentials from "@latchkey/core/providers/credentials"
import { skipCSRFCheck } from "@latchkey/core"
import { captureLog, frozenClock, openBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"

const framework: Framework<Request> = {
  basePath: "/auth",
  env: () => ({ AUTH_SECRET: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw", AUTH_TRUST_HOST: "true" }),
  read: (request) => ({ method: request.method, url: new URL(request.url), headers: request.headers }),
  toRequest: (request) => request,
}

const password = credentials({
  credentials: { name: {}, password: {} },
  authorize: ({ name, password }) => (password === "open sesame" ? { id: String(name), name: String(name) } : null),
})

const page = { accept: "text/html", "sec-fetch-mode": "navigate" }

describe("middleware for many routes", () => {
  const pages = { signIn: "/login" }

  /** The status of a request without a session, or 200 if it reaches the routes of the application. */
  async function statusOf(target: string): Promise<number> {
    const read = (request: Request) => ({ ...framework.read(request), target })
    const auth = createIntegration({ providers: [password], pages }, { ...framework, read })
    const response = await auth.protect(new Request(new URL(`https://app.test${target}`), { headers: page }))
    return response?.status ?? 200
  }

  test.each([
    "/graphql/../login",
    "/graphql/..",
    "/graphql/%2e%2e/login",
    "/graphql/.%2E/login",
    "/graphql/./login",
    "/users/42\\..\\..\\login",
    "/users\\..\\login",
    "/graphql/../auth/signin",
    "/auth/signin/../../login",
    "/login#/../graphql",
    "https://app.test/graphql/../login?x",
  ])("refuses %s, which routers read in different ways", async (target) => {
    expect(await statusOf(target)).toBe(400)
  })

  test.each(["//login", "/login//", "/LOGIN", "/%6Cogin", "/login;x", "/login.", "/login%2f..", "//auth/signin"])(
    "doesn't take %j for the sign-in page",
    async (target) => {
      expect(await statusOf(target)).toBe(303)
    },
  )

  test.each([
    "/login",
    "/login/",
    "/login?a=/../b",
    "/auth/signin",
    "/auth/callback/github?code=%5C",
    "https://app.test/login",
  ])("opens %s to everyone", async (target) => {
    expect(await statusOf(target)).toBe(200)
  })

  test.each(["/", "/a//b", "/a%2Fb", "/a;b=c", "/...", "/.well-known/x", "/a..b", "/caf%C3%A9", "/search?q=../x", "*"])(
    "asks for a session at %s",
    async (target) => {
      expect(await statusOf(target)).toBe(303)
    },
  )
})

describe("a response with a session cookie", () => {
  const config = { providers: [password], session: { updateAge: 0 } }

  /** An application that returns the same response to everyone. */
  async function cookiesOfTwoVisitors(constant: () => Response) {
    const auth = createIntegration(config, framework)
    const response = constant()
    const before = [...response.headers]
    const handle = async (request: Request) => {
      const own = await auth.handle(request)
      if (own !== undefined) return own
      await auth.session(request)
      return auth.finish(request, response)
    }
    const ada = openBrowser({ origin: "https://app.test", handle })
    await ada.get("/auth/signin")
    await ada.submitForm("credentials", { name: "ada", password: "open sesame", callbackUrl: "/auth/session" })
    const cookie = ada.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
    const first = await handle(new Request("https://app.test/", { headers: { cookie } }))
    const second = await handle(new Request("https://app.test/"))
    expect([...response.headers]).toEqual(before)
    return { first, second }
  }

  test.each<[string, () => Response]>([
    ["without a body", () => new Response(null, { status: 204, headers: { "cache-control": "s-maxage=60" } })],
    ["that a cache may keep", () => new Response(null, { status: 304, headers: { etag: '"1"' } })],
    ["whose headers can't change", () => Response.redirect("https://app.test/elsewhere")],
    ["with a body", () => new Response("page")],
    ["with a cookie of its own", () => new Response(null, { headers: { "set-cookie": "theme=dark" } })],
  ])("is a copy of one %s", async (_, constant) => {
    const { first, second } = await cookiesOfTwoVisitors(constant)
    const expected = constant()
    expect([first.status, await first.text()]).toEqual([expected.status, await expected.text()])
    expect(first.headers.getSetCookie().join()).toMatch(/session-token=/)
    expect(first.headers.get("cache-control")).toMatch(/private, no-store/)
    expect(second.headers.getSetCookie().join()).not.toMatch(/session-token/)
    expect(second.headers.getSetCookie()).toEqual(expected.headers.getSetCookie())
  })
})

describe("the way back", () => {
  test.each(["//evil.example/x", "///evil.example", "//evil.example\\x"])(
    "from %s stays on the site, also for a page that doesn't check it",
    async (path) => {
      for (const signIn of ["/login", undefined]) {
        const read = (request: Request) => ({ ...framework.read(request), page: path })
        for (const own of [framework, { ...framework, read }]) {
          const auth = createIntegration({ providers: [password], pages: { signIn } }, own)
          const request = new Request(`https://app.test${path}`, { headers: page })
          const responses = [
            await auth.protect(request),
            (await auth.requireSession(request)) as { response?: Response },
          ]
          for (const given of responses) {
            const response = given instanceof Response ? given : given?.response
            const location = new URL(response?.headers.get("location") ?? "", "https://app.test")
            const callbackUrl = location.searchParams.get("callbackUrl") ?? ""
            expect(new URL(callbackUrl, "https://app.test").origin).toBe("https://app.test")
            expect(callbackUrl).toMatch(/^\/evil\.example/)
          }
        }
      }
    },
  )
})

describe("an address that a client can write", () => {
  /** Wrong passwords of an attacker, each from an address that the framework has read from a header. */
  function site(secret: string) {
    const read = (request: Request) => {
      const { headers } = request
      const address = headers.get("x-socket") ?? headers.get("x-forwarded-for") ?? undefined
      return { ...framework.read(request), address, isAddressForgeable: !headers.has("x-socket") }
    }
    const { logger } = captureLog()
    const { runtime } = frozenClock()
    const auth = createIntegration({ secret, providers: [password], skipCSRFCheck, logger, runtime }, { ...framework, read })
    return async (name: string, typed: string, headers: Record<string, string>) => {
      const body = new URLSearchParams({ name, password: typed })
      const request = new Request("https://app.test/auth/callback/credentials", { method: "POST", body, headers })
      return (await auth.handle(request))?.status
    }
  }

  test("is new for each of 200 wrong passwords, and the limit of the user holds", async () => {
    const attempt = site("k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tL-new")
    const statuses: unknown[] = []
    for (let at = 0; at < 200; at++)
      statuses.push(await attempt("ada", "wrong", { "x-forwarded-for": `203.0.113.${at}` }))
    expect(statuses.filter((status) => status !== 429)).toHaveLength(30)
  })

  test("names the owner, and the owner isn't refused", async () => {
    const attempt = site("k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tL-owner")
    const statuses: unknown[] = []
    for (let at = 0; at < 60; at++)
      statuses.push(await attempt(`user ${at}`, "wrong", { "x-forwarded-for": "203.0.113.7" }))
    expect(statuses).toContain(429)
    for (const typed of ["wrong", "wrong", "open sesame"])
      expect(await attempt("ada", typed, { "x-socket": "203.0.113.7" })).toBe(302)
  })
})
