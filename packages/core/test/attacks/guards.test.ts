import { createIntegration, type Framework } from "@latchkey/core/integration"
import credentials from "@latchkey/core/providers/credentials"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog, frozenClock, openBrowser } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode } from "../../../../tests/attack.js"

const origin = "https://app.test"
const page = { accept: "text/html", "sec-fetch-mode": "navigate" }

const framework: Framework<Request> = {
  basePath: "/auth",
  env: () => ({}),
  read: (request) => ({ method: request.method, url: new URL(request.url), headers: request.headers }),
  toRequest: (request) => request,
}

/** A site of a framework that describes its requests in its own way. */
function site(security: Mode, given: Partial<AuthConfig>, described: Partial<Framework<Request>> = {}) {
  const config = {
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
    url: `${origin}/auth`,
    security: security === "strict" ? { mode: security, revocableSessions: false } : security,
    providers: [
      credentials({
        credentials: { name: {}, password: { type: "password" } },
        authorize: ({ name, password }) =>
          password === "open sesame" ? { id: String(name), name: String(name) } : null,
      }),
    ],
    logger: captureLog().logger,
    ...given,
  }
  return createIntegration(config, { ...framework, ...described })
}

/** The status of middleware for many routes, or 200 if a request without a session reaches the routes of the application. */
async function statusOf(mode: Mode, target: string): Promise<number> {
  const read = (request: Request) => ({ ...framework.read(request), target })
  const auth = site(mode, { pages: { signIn: "/login" } }, { read })
  const request = new Request(target.startsWith("/") ? origin + target : new URL(target, origin), { headers: page })
  return (await auth.protect(request))?.status ?? 200
}

async function statusesOf(mode: Mode, targets: readonly string[]): Promise<Readonly<Record<string, number>>> {
  return Object.fromEntries(await Promise.all(targets.map(async (each) => [each, await statusOf(mode, each)] as const)))
}

const all = (targets: readonly string[], status: number) => Object.fromEntries(targets.map((each) => [each, status]))

attack("T3-01", "a target that routers and URLs read as different paths is refused", async (mode) => {
  const targets = [
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
  ]
  expect(await statusesOf(mode, targets)).toEqual(all(targets, 400))
})

attack("T3-01", "no other spelling counts as the sign-in page or as an auth route", async (mode) => {
  const targets = ["//login", "/login//", "/LOGIN", "/%6Cogin", "/login;x", "/login.", "/login%2f..", "//auth/signin"]
  expect(await statusesOf(mode, targets)).toEqual(all(targets, 303))
})

attack("T3-01", "targets that browsers and proxies send are read as before", async (mode) => {
  const open = [
    "/login",
    "/login/",
    "/login?a=/../b",
    "/auth/signin",
    "/auth/callback/github?code=%5C",
    `${origin}/login`,
  ]
  expect(await statusesOf(mode, open)).toEqual(all(open, 200))
  const closed = ["/", "/a//b", "/a%2Fb", "/a;b=c", "/...", "/.well-known/x", "/a..b", "/caf%C3%A9", "/s?q=../x", "*"]
  expect(await statusesOf(mode, closed)).toEqual(all(closed, 303))
})

attack("T3-02", "a constant response of the application gets no cookie of a visitor", async (mode) => {
  const constants: readonly (() => Response)[] = [
    () => new Response(null, { status: 204, headers: { "cache-control": "s-maxage=60" } }),
    () => new Response(null, { status: 304, headers: { etag: '"1"' } }),
    () => Response.redirect(`${origin}/elsewhere`),
    () => new Response("page"),
    () => new Response(null, { headers: { "set-cookie": "theme=dark" } }),
  ]
  const auth = site(mode, { session: { updateAge: 0 } })
  const answer = async (request: Request) => (await auth.handle(request)) ?? new Response()
  const browser = openBrowser({ origin, handle: answer })
  await browser.signIn("credentials", { name: "ada", password: "open sesame" })
  const cookie = browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
  for (const make of constants) {
    const constant = make()
    const open = async (headers: Record<string, string>) => {
      const request = new Request(`${origin}/page`, { headers })
      await auth.session(request)
      return auth.finish(request, constant)
    }
    const first = await open({ cookie })
    const expected = make()
    expect([first.status, await first.text()]).toEqual([expected.status, await expected.text()])
    expect(first.headers.getSetCookie().join()).toMatch(/session-token=/)
    expect(first.headers.get("cache-control")).toMatch(/^private, no-store/)
    expect([...(await open({})).headers]).toEqual([...make().headers])
  }
})

attack("T3-04", "200 wrong passwords from forged addresses are limited", async (mode) => {
  const attempt = forging(mode)
  const statuses: unknown[] = []
  for (let at = 0; at < 200; at++)
    statuses.push(await attempt("ada", "wrong", { "x-forwarded-for": `203.0.113.${at}` }))
  expect(statuses.filter((status) => status !== 429)).toHaveLength(30)
})

attack("T3-04", "a client that names the address of another one doesn't use up its limit", async (mode) => {
  const attempt = forging(mode)
  const statuses: unknown[] = []
  for (let at = 0; at < 200; at++)
    statuses.push(await attempt(`user ${at}`, "wrong", { "x-forwarded-for": "203.0.113.7" }))
  expect(statuses).toContain(429)
  for (const password of ["wrong", "wrong", "open sesame"])
    expect(await attempt("ada", password, { "x-socket": "203.0.113.7" })).toBe(302)
})

/** Passwords at a framework that reads the address from a header, unless it knows the connection. */
function forging(mode: Mode) {
  const read = (request: Request) => {
    const { headers } = request
    const address = headers.get("x-socket") ?? headers.get("x-forwarded-for") ?? undefined
    return { ...framework.read(request), address, isAddressForgeable: !headers.has("x-socket") }
  }
  const auth = site(mode, { runtime: frozenClock().runtime }, { read })
  const csrf = auth.handle(new Request(`${origin}/auth/csrf`)).then(async (response) => ({
    cookie:
      response?.headers
        .getSetCookie()
        .map((line) => line.split(";", 1)[0])
        .join("; ") ?? "",
    ...(await response?.json()),
  }))
  return async (name: string, password: string, headers: Record<string, string>) => {
    const { cookie, csrfToken } = await csrf
    const init = {
      method: "POST",
      body: new URLSearchParams({ csrfToken, name, password }),
      headers: { cookie, ...headers },
    }
    return (await auth.handle(new Request(`${origin}/auth/callback/credentials`, init)))?.status
  }
}

attack("T3-15", "the way back from a protected path stays on the site", async (mode) => {
  for (const path of ["//evil.example/x", "///evil.example", "//evil.example\\x"]) {
    const read = (request: Request) => ({ ...framework.read(request), page: path })
    for (const pages of [{}, { signIn: "/login" }]) {
      for (const described of [{}, { read }]) {
        const auth = site(mode, { pages }, described)
        const request = new Request(origin + path, { headers: page })
        const access = await auth.requireSession(request)
        for (const response of [await auth.protect(request), "response" in access ? access.response : undefined]) {
          const to = new URL(response?.headers.get("location") ?? "", origin)
          expect(to.searchParams.get("callbackUrl")).toMatch(/^\/evil\.example/)
        }
      }
    }
  }
})
