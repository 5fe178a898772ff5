import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { defineModule } from "@latchkey/core/module"
import NextAuth, { type NextAuthConfig } from "@latchkey/next"
import credentials from "@latchkey/next/providers/credentials"
import { captureLog, frozenClock } from "@latchkey/testing"
import { NextRequest, NextResponse } from "next/server.js"
import { describe, expect, test, vi } from "vitest"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"
const origin = "https://app.test"
// The middleware doesn't use the event.
const event = undefined as never

function site(config: Partial<NextAuthConfig> = {}) {
  const log = captureLog()
  const provider = credentials({
    credentials: { name: {} },
    authorize: ({ name }) => ({ id: "1", name: String(name) }),
  })
  const clock = frozenClock()
  const { runtime } = clock
  const next = NextAuth({ secret, trustHost: true, providers: [provider], logger: log.logger, runtime, ...config })
  const visit = (path: string, init: { method?: string; headers?: Record<string, string>; basePath?: string } = {}) => {
    const { basePath, ...rest } = init
    return new NextRequest(new URL(path, origin), { ...rest, ...(basePath && { nextConfig: { basePath } }) })
  }
  const signedIn = async () => {
    const csrf = await next.handlers.GET(visit("/api/auth/csrf"))
    const { csrfToken } = (await csrf.json()) as { csrfToken: string }
    const response = await next.handlers.POST(
      new NextRequest(`${origin}/api/auth/callback/credentials`, {
        method: "POST",
        headers: { cookie: cookiesOf(csrf) },
        body: new URLSearchParams({ csrfToken, name: "ada" }),
      }),
    )
    return cookiesOf(response)
  }
  return { next, visit, signedIn, clock, log }
}

function cookiesOf(response: Response): string {
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0] ?? "")
    .filter((pair) => !pair.endsWith("="))
    .join("; ")
}

const passes = (response: Response) => response.headers.get("x-middleware-next") === "1"
const sessionCookie = /^__Secure-authjs\.session-token=/

describe("`authorized`", () => {
  const asks = (authorized: unknown, config: Partial<NextAuthConfig> = {}) =>
    site({ callbacks: { authorized: (() => authorized) as never }, ...config })

  test.each([[true], [1], ["true"], [{}], [[]], [{ name: "ada" }], [Promise.resolve("yes")]])(
    "that returns %j, or another truthy value, lets the request continue",
    async (answer) => {
      for (const security of ["compatible", "strict"] as const) {
        const { next, visit } = asks(answer, { security, url: origin })
        expect(passes(await next.auth(visit("/orders"), event))).toBe(true)
      }
    },
  )

  test.each([[false], [undefined], [null], [0], [""], [Number.NaN], [Promise.resolve(null)]])(
    "that returns %j redirects to the sign-in page with the query of the request and `callbackUrl`",
    async (answer) => {
      const { next, visit } = asks(answer)
      const response = await next.auth(visit("/orders?step=2&callbackUrl=x"), event)
      expect(response.status).toBe(307)
      const to = new URL(response.headers.get("location") ?? "")
      expect(to.origin + to.pathname).toBe(`${origin}/api/auth/signin`)
      expect([...to.searchParams]).toEqual([
        ["step", "2"],
        ["callbackUrl", `${origin}/orders?step=2&callbackUrl=x`],
      ])
    },
  )

  test("under strict, only `callbackUrl` goes to the sign-in page", async () => {
    const { next, visit } = site({ security: "strict", url: origin, callbacks: { authorized: () => false } })
    const location = (await next.auth(visit("/orders?token=x"), event)).headers.get("location") ?? ""
    expect([...new URL(location).searchParams]).toEqual([["callbackUrl", `${origin}/orders?token=x`]])
  })

  test("that rejects a form POST redirects with 303, so the body isn't resent", async () => {
    const { next, visit } = asks(false)
    expect((await next.auth(visit("/orders", { method: "POST" }), event)).status).toBe(303)
  })

  test("that throws rejects the request", async () => {
    const authorized = () => {
      throw new Error("the directory is down")
    }
    const { next, visit } = site({ callbacks: { authorized } })
    await expect(next.auth(visit("/orders"), event)).rejects.toThrow("the directory is down")
  })

  test("may return a response of its own", async () => {
    const { next, visit } = asks(Response.json({ no: true }, { status: 403 }))
    const response = await next.auth(visit("/orders"), event)
    expect([response.status, await response.json()]).toEqual([403, { no: true }])
  })

  test("may redirect to a relative URL and to another site", async () => {
    const targets = [
      ["/login?a=1", `${origin}/login?a=1`],
      ["https://elsewhere.test/x", "https://elsewhere.test/x"],
      ["//elsewhere.test/orders", "https://elsewhere.test/orders"],
    ] as const
    for (const [location, expected] of targets) {
      const { next, visit } = asks(new Response(null, { status: 302, headers: { location } }))
      const response = await next.auth(visit("/orders"), event)
      expect(new URL(response.headers.get("location") ?? "", origin).href).toBe(expected)
    }
  })

  test("that redirects a page to itself doesn't loop", async () => {
    const { next, visit } = asks(Response.redirect(`${origin}/orders`))
    const response = await next.auth(visit("/orders"), event)
    expect(response.headers.get("location")).toContain("/api/auth/signin?callbackUrl=")
  })

  test("that redirects the sign-in page to itself shows the page", async () => {
    const callbacks = { authorized: () => NextResponse.redirect(`${origin}/login?again=1`) }
    const { next, visit } = site({ pages: { signIn: "/login" }, callbacks })
    const first = await next.auth(visit("/login?callbackUrl=x"), event)
    expect(first.headers.get("location")).toBe(`${origin}/login?again=1`)
    expect(passes(await next.auth(visit("/login?again=1"), event))).toBe(true)
  })

  test("may redirect a page to itself with another query, with a cookie, or after a form POST", async () => {
    const to = (url: string, headers: Record<string, string> = {}, status = 303) =>
      asks(new Response(null, { status, headers: { location: url, ...headers } }))
    const page = `${origin}/orders`
    const query = to(`${page}?lang=de`)
    const cookie = to(page, { "set-cookie": "lang=de" })
    const form = to(page)
    for (const [{ next, visit }, method] of [[query], [cookie], [form, "POST"]] as const) {
      const response = await next.auth(visit("/orders", { ...(method && { method }) }), event)
      expect(response.status).toBe(303)
      expect(response.headers.get("location")?.split("?")[0]).toBe(page)
    }
  })

  test("gets the request with the origin of AUTH_URL, and so does a wrapped function", async () => {
    vi.stubEnv("AUTH_URL", "https://public.test")
    const seen: string[] = []
    const note = (request: NextRequest) => seen.push(request.url, request.nextUrl.href, request.method) > 0
    const { next, visit } = site({ callbacks: { authorized: ({ request }) => note(request) } })
    const wrapped = next.auth(async (request) => {
      note(request)
      return Response.json(await request.text())
    })
    const post = new NextRequest(`${origin}/orders?a=1`, { method: "POST", body: "content" })
    expect(await (await wrapped(post)).json()).toBe("content")
    await next.auth(visit("/orders?a=1"), event)
    const url = "https://public.test/orders?a=1"
    expect(seen).toEqual([url, url, "POST", url, url, "POST", url, url, "GET"])
  })

  test.each([
    "/api/auth/signin",
    "/api/auth/signin/github",
    "/api/auth/callback/github?code=x",
    "/api/auth/session",
    "/api/auth/csrf",
  ])("doesn't block the auth route %s", async (path) => {
    const { next, visit } = asks(false)
    expect(passes(await next.auth(visit(path), event))).toBe(true)
  })

  test.each([
    "/api/auth/admin",
    "/api/authsession",
    "/login/x",
    "/api/auth",
    "//api/auth/session",
    "/API/auth/session",
  ])("guards %s, which only looks like an auth route", async (path) => {
    const { next, visit } = site({ pages: { signIn: "/login" }, callbacks: { authorized: () => false } })
    expect(passes(await next.auth(visit(path.startsWith("//") ? origin + path : path), event))).toBe(false)
  })

  test("redirects to a custom sign-in page, with its query, below the Next.js `basePath`", async () => {
    const { next, visit } = site({ pages: { signIn: "/login?from=guard" }, callbacks: { authorized: () => false } })
    const response = await next.auth(visit("/docs/orders", { basePath: "/docs" }), event)
    const to = new URL(response.headers.get("location") ?? "")
    expect(to.pathname).toBe("/docs/login")
    expect(Object.fromEntries(to.searchParams)).toEqual({ from: "guard", callbackUrl: `${origin}/docs/orders` })
    expect(passes(await next.auth(visit("/docs/login", { basePath: "/docs" }), event))).toBe(true)
  })

  test("redirects to a sign-in page on another site, with a callback URL on the origin of AUTH_URL", async () => {
    vi.stubEnv("AUTH_URL", "https://public.test/api/auth")
    const { next, visit } = site({ pages: { signIn: "https://login.test/in" }, callbacks: { authorized: () => false } })
    const location = (await next.auth(visit("/orders"), event)).headers.get("location")
    expect(location).toBe(`https://login.test/in?callbackUrl=${encodeURIComponent("https://public.test/orders")}`)
  })

  test("gets the session", async () => {
    const seen: unknown[] = []
    const { next, visit, signedIn } = site({
      callbacks: { authorized: ({ auth, request }) => (seen.push([request.nextUrl.pathname, auth?.user?.name]), true) },
    })
    await next.auth(visit("/a"), event)
    await next.auth(visit("/b", { headers: { cookie: await signedIn() } }), event)
    expect(seen).toEqual([
      ["/a", undefined],
      ["/b", "ada"],
    ])
  })
})

describe("the callback URL has the origin", () => {
  const proxied = { "x-forwarded-host": "shop.test", "x-forwarded-proto": "https" }
  const forged = { host: "evil.test", "x-forwarded-host": "evil.test" }
  const listed = { trustHost: ["shop.test"] }

  test.each<[string, Partial<NextAuthConfig>, Record<string, string>, string]>([
    ["that a trusted proxy forwards", {}, proxied, "https://shop.test"],
    ["that `trustHost` lists", listed, proxied, "https://shop.test"],
    ["of AUTH_URL, whatever the request says", { url: "https://public.test" }, forged, "https://public.test"],
    ["that Next.js knows if `trustHost` doesn't list the host", listed, forged, origin],
    ["that Next.js knows if no host is trusted", { trustHost: false }, forged, origin],
    ["that Next.js knows if the host has user information", {}, { "x-forwarded-host": "app.test:1@evil.test" }, origin],
    ["that Next.js knows if the protocol has a host", {}, { "x-forwarded-proto": "https://evil.test/?" }, origin],
    ["that Next.js knows without a secret", { secret: "" }, forged, origin],
  ])("%s", async (_, config, headers, expected) => {
    const { next, visit } = site({ ...config, callbacks: { authorized: () => false } })
    const response = await next.auth(visit("/orders?a=1", { headers }), event)
    const { searchParams } = new URL(response.headers.get("location") ?? "")
    expect(searchParams.get("callbackUrl")).toBe(`${expected}/orders?a=1`)
  })
})

describe("while the database is down", () => {
  const down = (config: Partial<NextAuthConfig> = {}) => {
    const adapter = { ...memoryAdapter(), getSessionAndUser: () => Promise.reject(new Error("The store is down.")) }
    const authorized: NonNullable<NextAuthConfig["callbacks"]>["authorized"] = ({ auth, request }) =>
      auth !== null || request.nextUrl.pathname === "/"
    const session = { strategy: "database" } as const
    const { next, visit } = site({ url: origin, adapter, session, callbacks: { authorized }, ...config })
    const headers = { cookie: "__Secure-authjs.session-token=2f1c7d5e-9a44-4d8a-8e43-0c9a1b6f7d21" }
    return { next, ask: (path: string, method = "GET") => visit(path, { method, headers }), visit }
  }

  test.each(["compatible", "strict"] as const)(
    "under %s, a page that `authorized` rejects gets 503, and keeps the session",
    async (security) => {
      const { next, ask } = down({ security })
      for (const method of ["GET", "HEAD", "POST"]) {
        const response = await next.auth(ask("/orders", method), event)
        expect([response.status, response.headers.get("location")], method).toEqual([503, null])
        expect(response.headers.get("cache-control")).toBe("private, no-store")
        expect(response.headers.getSetCookie()).toEqual([])
        expect(await response.text()).not.toContain("store")
      }
    },
  )

  test("what `authorized` lets continue does, and so does the sign-in page", async () => {
    const { next, ask } = down()
    for (const path of ["/", "/api/auth/signin"]) expect(passes(await next.auth(ask(path), event)), path).toBe(true)
  })

  test("a visitor without a session cookie goes to the sign-in page", async () => {
    const { next, visit } = down()
    expect((await next.auth(visit("/orders"), event)).headers.get("location")).toContain("/api/auth/signin?")
  })

  test("a response of `authorized` is sent", async () => {
    const { next, ask } = down({ callbacks: { authorized: () => Response.json(null, { status: 403 }) } })
    expect((await next.auth(ask("/orders"), event)).status).toBe(403)
  })

  test("under strict, a function that `auth` wraps isn't called, and under compatible it decides", async () => {
    for (const [security, status] of [
      ["strict", 503],
      ["compatible", 418],
    ] as const) {
      const { next, ask } = down({ security })
      const wrapped = next.auth(({ auth }) => Response.json(auth, { status: 418 }))
      expect((await wrapped(ask("/orders"), event)).status).toBe(status)
    }
  })
})

describe("around a handler", () => {
  const rejecting = (config: Partial<NextAuthConfig> = {}) =>
    site({ url: origin, environment: "development", callbacks: { authorized: () => false }, ...config })
  const route = { params: Promise.resolve({}) }

  test.each(["compatible", "strict"] as const)(
    "under %s, a Route Handler runs whatever `authorized` returns, and its own 401 is sent",
    async (security) => {
      const { next, visit, log } = rejecting({ security })
      const handler = next.auth(({ auth }) => Response.json({ user: auth }, { status: auth ? 200 : 401 }))
      const response = await handler(visit("/api/orders"), route)
      expect([response.status, await response.json()]).toEqual([401, { user: null }])
      expect(log.entries).toEqual([])
    },
  )

  test("under compatible, a middleware function runs whatever `authorized` returns, and development warns once", async () => {
    const { next, visit, log, signedIn } = rejecting()
    const inner = next.auth(({ auth }) => Response.json(auth?.user?.name ?? "visitor"))
    expect(await (await inner(visit("/orders"), event)).json()).toBe("visitor")
    const user = visit("/orders", { headers: { cookie: await signedIn() } })
    expect(await (await inner(user, event)).json()).toBe("ada")
    const warnings = log.entries.filter(({ message }) => message === "authorized-ignored")
    expect(warnings).toEqual([expect.objectContaining({ level: "warn" })])
    const production = rejecting({ environment: "production" })
    await production.next.auth(() => Response.json("ran"))(production.visit("/orders"), event)
    expect(production.log.entries).toEqual([])
  })

  test("under compatible, a middleware function that returns nothing lets a rejected request continue", async () => {
    const { next, visit } = rejecting()
    expect(passes(await next.auth(() => undefined)(visit("/orders"), event))).toBe(true)
  })

  test("under strict, a middleware function isn't called if `authorized` rejects", async () => {
    const inner = vi.fn(() => Response.json("secret"))
    const { next, visit } = rejecting({ security: "strict" })
    const response = await next.auth(inner)(visit("/orders"), event)
    expect(response.status).toBe(307)
    expect(inner).not.toHaveBeenCalled()
  })

  test.each([
    ["a middleware function", event],
    ["a Route Handler", route],
  ])("%s isn't called if `authorized` returns a response", async (_, context) => {
    const inner = vi.fn(() => Response.json("secret"))
    const { next, visit } = rejecting({ callbacks: { authorized: () => new Response("no", { status: 418 }) } })
    expect((await next.auth(inner)(visit("/orders"), context)).status).toBe(418)
    expect(inner).not.toHaveBeenCalled()
  })

  test("the handler gets the session and its context, and its response is sent", async () => {
    const { next, visit, signedIn } = site()
    const wrapped = next.auth(async (request, { params }) =>
      Response.json({ name: request.auth?.user?.name, id: (await params)["id"] }),
    )
    const response = await wrapped(visit("/a", { headers: { cookie: await signedIn() } }), {
      params: Promise.resolve({ id: "7" }),
    })
    expect(await response.json()).toEqual({ name: "ada", id: "7" })
    const anonymous = await wrapped(visit("/a"), { params: Promise.resolve({ id: "7" }) })
    expect(await anonymous.json()).toEqual({ id: "7" })
  })

  test("a handler that returns nothing lets the request continue", async () => {
    const { next, visit } = site()
    expect(passes(await next.auth(() => undefined)(visit("/a")))).toBe(true)
  })
})

describe("a session that's due for renewal", () => {
  async function due(config: Partial<NextAuthConfig> = {}) {
    const made = site(config)
    const cookie = await made.signedIn()
    made.clock.advance({ days: 2 })
    return { ...made, cookie: `theme=dark; ${cookie}` }
  }
  const renewed = (response: Response) => response.headers.getSetCookie().filter((line) => sessionCookie.test(line))
  const forwarded = (response: Response) => response.headers.get("x-middleware-request-cookie") ?? ""

  test("is set in the browser and reaches the page, with all other request headers", async () => {
    const { next, visit, cookie } = await due()
    const response = await next.auth(visit("/a", { headers: { cookie, "x-own": "1" } }), event)
    expect(renewed(response)).toHaveLength(1)
    const fresh = cookiesOf(response)
    expect(forwarded(response).split("; ").toSorted()).toEqual(
      cookie
        .split("; ")
        .map((each) => (sessionCookie.test(each) ? fresh : each))
        .toSorted(),
    )
    expect(cookie).not.toContain(fresh)
    expect(response.headers.get("x-middleware-override-headers")?.split(",")).toEqual(
      expect.arrayContaining(["cookie", "x-own"]),
    )
    expect(response.headers.get("x-middleware-request-x-own")).toBe("1")
  })

  test("keeps the headers, rewrites and cookies of another middleware", async () => {
    const { next, visit, cookie } = await due()
    const intl = next.auth((request) => {
      const headers = new Headers(request.headers)
      headers.set("x-locale", "de")
      const response = NextResponse.rewrite(new URL("/de/a", request.url), { request: { headers } })
      response.cookies.set("NEXT_LOCALE", "de")
      return response
    })
    const response = await intl(visit("/a", { headers: { cookie } }))
    expect(response.headers.get("x-middleware-rewrite")).toBe(`${origin}/de/a`)
    expect(response.headers.get("x-middleware-request-x-locale")).toBe("de")
    expect(forwarded(response)).toContain("authjs.session-token")
    expect(response.headers.getSetCookie().map((line) => line.split("=", 1)[0])).toEqual([
      "NEXT_LOCALE",
      "__Secure-authjs.session-token",
    ])
  })

  test("doesn't overwrite a session cookie that the application set", async () => {
    const { next, visit, cookie } = await due()
    const leave = next.auth(() => {
      const response = NextResponse.json("bye")
      response.cookies.set("__Secure-authjs.session-token", "", { maxAge: 0, path: "/", secure: true })
      return response
    })
    const response = await leave(visit("/a", { headers: { cookie } }))
    expect(renewed(response)).toEqual([expect.stringMatching(/^__Secure-authjs\.session-token=;/)])
  })

  test("is set in the browser on a response with immutable headers", async () => {
    const { next, visit, cookie } = await due()
    const response = await next.auth(() => Response.redirect(`${origin}/b`, 308))(visit("/a", { headers: { cookie } }))
    expect([response.status, response.headers.get("location")]).toEqual([308, `${origin}/b`])
    expect(renewed(response)).toHaveLength(1)
    expect(forwarded(response)).toBe("")
  })

  test("that isn't due changes nothing", async () => {
    const { next, visit, signedIn } = site()
    const response = await next.auth(visit("/a", { headers: { cookie: await signedIn() } }), event)
    expect([...response.headers]).toEqual([["x-middleware-next", "1"]])
  })
})

describe("an error", () => {
  test.each([
    ["no secret", { secret: undefined }],
    ["an untrusted host", { trustHost: false }],
    ["an invalid URL", { url: "nonsense" }],
  ])("(%s) means no session", async (_, config) => {
    vi.stubEnv("AUTH_SECRET", "")
    const cookie = await site().signedIn()
    const seen: unknown[] = []
    const callbacks: NextAuthConfig["callbacks"] = { authorized: ({ auth }) => (seen.push(auth), auth !== null) }
    const { next, visit } = site({ ...config, callbacks })
    expect(passes(await next.auth(visit("/orders", { headers: { cookie } }), event))).toBe(false)
    expect(seen).toEqual([null])
  })

  test("in a configuration function rejects the request", async () => {
    const { auth } = NextAuth(() => Promise.reject(new Error("no such tenant")))
    await expect(auth(new NextRequest(origin), event)).rejects.toThrow("no such tenant")
  })
})

test("a configuration function gets the request, and its result is cached", async () => {
  const config: NextAuthConfig = { secret, trustHost: true, providers: [], callbacks: { authorized: () => false } }
  const find = vi.fn<(request: NextRequest | undefined) => NextAuthConfig>(() => config)
  const { auth } = NextAuth(find)
  const request = new NextRequest(`${origin}/orders`)
  expect((await auth(request, event)).status).toBe(307)
  expect(find.mock.calls).toEqual([[request]])
})

test("development warns once that a middleware without `authorized` protects nothing", async () => {
  const { next, visit, log } = site({ environment: "development" })
  await next.auth(visit("/a"), event)
  await next.auth(visit("/b"), event)
  const warnings = log.entries.filter(({ text }) => text.includes("authorized"))
  expect(warnings).toHaveLength(1)
})

test("development warns once even if a configuration function returns a new object for each request", async () => {
  const log = captureLog()
  const { auth } = NextAuth(() => ({
    secret,
    url: origin,
    providers: [],
    environment: "development",
    logger: log.logger,
  }))
  for (const path of ["/a", "/b"]) await auth(new NextRequest(origin + path), event)
  expect(log.entries.filter(({ message }) => message === "nothing-protected")).toHaveLength(1)
})

test.each(["factor", "codes/enroll", "code-list"])("the route %s of modules stays open to visitors", async (route) => {
  const modules = [defineModule({ id: "codes", paths: ["code-list"], load: async () => ({}) })]
  const { next, visit } = site({ callbacks: { authorized: () => false }, modules })
  expect(passes(await next.auth(visit(`/api/auth/${route}`, { method: "POST" }), event))).toBe(true)
})

test("auth routes work with and without the Next.js `basePath` in the URL", async () => {
  const { next } = site({ basePath: "/docs/api/auth" })
  for (const path of ["/docs/api/auth/providers", "/api/auth/providers"]) {
    const response = await next.handlers.GET(new NextRequest(origin + path))
    const found = (await response.json()) as Record<string, { signinUrl: string }>
    expect(found["credentials"]?.signinUrl).toBe(`${origin}/docs/api/auth/signin/credentials`)
  }
})

describe("a constant response", () => {
  test.each<[string, () => Response]>([
    ["next()", () => NextResponse.next()],
    ["a redirect", () => NextResponse.redirect(`${origin}/elsewhere`)],
    ["a plain response", () => new Response(null, { status: 204 })],
  ])("that is %s gets no cookies of a visitor", async (_, make) => {
    const { next, visit, signedIn, clock } = site()
    const constant = make()
    const proxy = next.auth(() => constant)
    const cookie = await signedIn()
    clock.advance({ days: 2 })
    const renewed = await proxy(visit("/", { headers: { cookie } }), event)
    expect(renewed.headers.getSetCookie().join()).toMatch(sessionCookie)
    expect(renewed.status).toBe(constant.status)
    expect(renewed).toBeInstanceOf(NextResponse)
    expect((await proxy(visit("/"), event)).headers.getSetCookie()).toEqual([])
  })
})
