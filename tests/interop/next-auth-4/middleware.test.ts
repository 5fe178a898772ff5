// `withAuth`, `getToken`, `encode` and `decode` of @latchkey/next-auth-4 beside those of next-auth 4.24.15.
import { createRequire } from "node:module"
import * as ourJwt from "@latchkey/next-auth-4/jwt"
import { withAuth as ourWithAuth } from "@latchkey/next-auth-4/middleware"
import { NextRequest } from "next/server.js"
import { beforeEach, describe, expect, test, vi } from "vitest"

type Anything = ReturnType<typeof JSON.parse>

const require = createRequire(import.meta.url)
const jwts = { version4: require("next-auth-4/jwt") as typeof ourJwt, ours: ourJwt }
const guards: Readonly<Record<"version4" | "ours", Anything>> = {
  version4: require("next-auth-4/middleware").withAuth,
  ours: ourWithAuth,
}
const both = ["version4", "ours"] as const

const secret = "mD5rNw0Zc2Xq8Lk1Bv7Hs4Tj9Yg6Fp3Qe+Ua/OiRxEbKz"
const claims = { sub: "ada", name: "Ada", role: "admin" }

beforeEach(() => {
  vi.stubEnv("NEXTAUTH_URL", "https://app.test")
  vi.stubEnv("NEXTAUTH_SECRET", secret)
  vi.stubEnv("VERCEL", undefined)
})

/** The seven ways to call it. Each gets the request, and returns what the middleware returns. */
const forms: Readonly<Record<string, (withAuth: Anything, req: NextRequest) => Promise<unknown>>> = {
  "as it is, with a request and an event": async (withAuth, req) => withAuth(req, { waitUntil: () => undefined }),
  "with a request": async (withAuth, req) => withAuth(req),
  "with a request and options": async (withAuth, req) => withAuth(req, { pages: { signIn: "/login" } }),
  "with options": async (withAuth, req) =>
    withAuth({ callbacks: { authorized: ({ token }: Anything) => token?.role === "admin" } })(req),
  "with options that refuse": async (withAuth, req) =>
    withAuth({ pages: { signIn: "/login", error: "/oops" }, callbacks: { authorized: async () => false } })(req),
  "around a function": async (withAuth, req) =>
    withAuth((request: Anything) => new Response(`hello ${request.nextauth.token?.name}`))(req),
  "around a function, with options": async (withAuth, req) =>
    withAuth((request: Anything) => new Response(`hello ${request.nextauth.token?.name}`), {
      callbacks: { authorized: ({ req: asked }: Anything) => asked.nextUrl.pathname !== "/admin" },
      cookies: { sessionToken: { name: "my.session" } },
      jwt: { decode: async ({ token }: Anything) => JSON.parse(token) },
      secret: "another",
    })(req),
}

const paths = [
  "/admin?tab=2",
  "/profile",
  "/login",
  "/oops",
  "/api/auth/signin",
  "/api/auth",
  "/_next/x.js",
  "/favicon.ico",
]

async function resultOf(result: Promise<unknown>): Promise<unknown> {
  const response = await result
  if (!(response instanceof Response)) return String(response)
  return { status: response.status, location: response.headers.get("location"), body: await response.text() }
}

async function cookies(): Promise<readonly string[]> {
  const token = await jwts.version4.encode({ token: claims, secret })
  const own = encodeURIComponent(JSON.stringify({ name: "Own" }))
  return ["", `__Secure-next-auth.session-token=${token}; my.session=${own}`, "__Secure-next-auth.session-token=broken"]
}

describe.each(Object.keys(forms))("withAuth %s", (form) => {
  test.each(paths)("answers %s as version 4 does", async (path) => {
    for (const cookie of await cookies()) {
      const [theirs, ours] = await Promise.all(
        both.map(async (name) => {
          const req = new NextRequest(`https://app.test${path}`, { headers: cookie === "" ? {} : { cookie } })
          return resultOf(Promise.resolve(forms[form]?.(guards[name], req)))
        }),
      )
      expect(ours).toEqual(theirs)
    }
  })
})

test("without a secret, withAuth leads to the error page, and says what to set", async () => {
  vi.stubEnv("NEXTAUTH_SECRET", undefined)
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined)
  const request = () => new NextRequest("https://app.test/admin")
  const [theirs, ours] = await Promise.all(both.map(async (name) => resultOf(Promise.resolve(guards[name](request())))))
  expect(ours).toEqual(theirs)
  expect(log.mock.calls.flat().join(" ")).toContain("NEXTAUTH_SECRET")
})

test("AUTH_SECRET is the secret of withAuth and getToken without another one, as in version 4", async () => {
  const cookie = `__Secure-next-auth.session-token=${await jwts.version4.encode({ token: claims, secret })}`
  vi.stubEnv("AUTH_SECRET", secret)
  for (const [main, isOpened] of [
    [undefined, true],
    ["", false],
    ["another", false],
  ] as const) {
    vi.stubEnv("NEXTAUTH_SECRET", main)
    vi.spyOn(console, "error").mockImplementation(() => undefined)
    for (const name of both) {
      const req = new NextRequest("https://app.test/admin", { headers: { cookie } })
      expect(await resultOf(guards[name](req)), name).toSatisfy((result) => (result === "undefined") === isOpened)
      expect((await jwts[name].getToken({ req })) !== null, name).toBe(isOpened)
    }
  }
})

test("withAuth keeps the base path of Next.js", async () => {
  vi.stubEnv("NEXTAUTH_URL", "https://app.test/shop/api/auth")
  const nextConfig = { basePath: "/shop" }
  for (const path of ["/shop/admin?a=b", "/shop/api/auth/signin"]) {
    const request = () => new NextRequest(`https://app.test${path}`, { nextConfig })
    const [theirs, ours] = await Promise.all(
      both.map(async (name) => resultOf(Promise.resolve(guards[name](request())))),
    )
    expect(ours).toEqual(theirs)
  }
})

describe("tokens", () => {
  test.each([
    ["version4", "ours"],
    ["ours", "version4"],
  ] as const)("of %s are read by %s, with and without a salt", async (from, to) => {
    for (const salt of [undefined, "next-auth.state"]) {
      const given = { secret, ...(salt !== undefined && { salt }) }
      const token = await jwts[from].encode({ token: claims, maxAge: 60, ...given })
      expect(await jwts[to].decode({ token, ...given })).toMatchObject(claims)
      await expect(jwts[to].decode({ token, secret: "another" })).rejects.toThrow()
    }
  })

  test("that have expired or are missing are refused", async () => {
    const token = await ourJwt.encode({ token: claims, secret, maxAge: -60 })
    await expect(ourJwt.decode({ token, secret })).rejects.toThrow("has expired")
    expect(await ourJwt.decode({ secret })).toBeNull()
    expect(await ourJwt.decode({ token: "", secret })).toBeNull()
  })

  const requests: Readonly<Record<string, (token: string, name: string) => Anything>> = {
    "a request of the Pages Router": (token, name) => ({
      headers: { cookie: `${name}=${token}` },
      cookies: { [name]: token },
    }),
    "a request of middleware": (token, name) =>
      new NextRequest("https://app.test", { headers: { cookie: `${name}=${token}` } }),
    "a token in several cookies": (token, name) => {
      const parts = { [`${name}.0`]: token.slice(0, 40), [`${name}.1`]: token.slice(40) }
      return { headers: {}, cookies: parts }
    },
    "a bearer token": (token) => ({ headers: { authorization: `Bearer ${encodeURIComponent(token)}` }, cookies: {} }),
    "headers and cookies of a Server Component": (token, name) => ({
      headers: new Headers(),
      cookies: { getAll: () => [{ name, value: token }] },
    }),
    "a request without a token": () => ({ headers: {}, cookies: {} }),
    "a request with another token": (_, name) => ({ headers: {}, cookies: { [name]: "broken" } }),
  }

  test.each(Object.entries(requests))("getToken finds that of %s as version 4 does", async (_, requestOf) => {
    const token = await jwts.version4.encode({ token: claims, secret })
    const ways: readonly Anything[] = [
      [{}, "__Secure-next-auth.session-token"],
      [{ raw: true }, "__Secure-next-auth.session-token"],
      [{ secureCookie: false }, "next-auth.session-token"],
      [{ cookieName: "my.session" }, "my.session"],
      [{ secret: "another" }, "__Secure-next-auth.session-token"],
      [{ decode: async () => ({ own: true }) }, "__Secure-next-auth.session-token"],
    ]
    for (const [options, name] of ways) {
      const [theirs, ours] = await Promise.all(
        both.map(async (library) => jwts[library].getToken({ req: requestOf(token, name), ...options })),
      )
      expect(ours, JSON.stringify(options)).toEqual(theirs)
    }
  })

  test("of a secret of bytes are read by both", async () => {
    const bytes = Buffer.from("ff01fe02ff01fe02ff01fe02ff01fe02", "hex")
    for (const [from, to] of [both, both.toReversed()] as Anything[]) {
      const token = await jwts[from as "ours"].encode({ token: claims, secret: bytes })
      expect(await jwts[to as "ours"].decode({ token, secret: bytes })).toMatchObject(claims)
    }
  })

  test("getToken needs a request", async () => {
    await expect(ourJwt.getToken({} as Anything)).rejects.toThrow("Pass `req`")
  })
})
