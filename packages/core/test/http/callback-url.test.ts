import { describe, expect, test } from "vitest"
import { app, callbackCookie, cookieNames, location, op, origin, setCookies } from "./app.js"

const cookie = (value: string) => ({ cookie: `${callbackCookie}=${encodeURIComponent(value)}` })

describe("the callback URL of a sign-out", () => {
  test.each([
    ["the body", "/auth/signout?callbackUrl=/query", { callbackUrl: "/body" }, cookie(`${origin}/cookie`), "/body"],
    ["the query", "/auth/signout?callbackUrl=/query", {}, cookie(`${origin}/cookie`), "/query"],
    ["the cookie", "/auth/signout", {}, cookie(`${origin}/cookie`), "/cookie"],
    ["the page", "/auth/signout", {}, { referer: `${origin}/products?page=3` }, "/products?page=3"],
    ["the cookie before the page", "/auth/signout", {}, { ...cookie("/cookie"), referer: `${origin}/a` }, "/cookie"],
    ["the site itself", "/auth/signout", {}, {}, ""],
    ["the query where the body is empty", "/auth/signout?callbackUrl=/query", { callbackUrl: "" }, {}, "/query"],
  ])("is taken from %s", async (_, path, fields, headers, expected) => {
    expect(location(await app().post(path, fields, headers))).toBe(origin + expected)
  })

  test.each([
    ["an absolute URL of the site", `${origin}/a?b=c#d`, `${origin}/a?b=c#d`],
    ["a path", "/a", `${origin}/a`],
    ["a path without slash", "dashboard", `${origin}/dashboard`],
    ["another site", "https://evil.test/", origin],
    ["another scheme of the site", "http://app.test/", origin],
    ["another port", "https://app.test:444/", origin],
    ["a subdomain", "https://x.app.test/", origin],
    ["a longer host", "https://app.test.evil.test/", origin],
    ["a user in front of the host", "https://app.test@evil.test/", origin],
    ["two slashes", "//evil.test", origin],
    ["slash and backslash", "/\\evil.test", origin],
    ["backslashes", "\\\\evil.test", origin],
    ["a tab between slashes", "/\t/evil.test", origin],
    ["a line feed in the scheme", "java\nscript:alert(1)", origin],
    ["a script", "javascript:alert(1)", origin],
    ["data", "data:text/html,x", origin],
    ["three slashes", "///evil.test", origin],
    ["a scheme without slashes", "https:evil.test", `${origin}/evil.test`],
    ["more than 4 kB", `/${"a".repeat(4_200)}`, origin],
    ["no URL at all", "https://", origin],
  ])("%s redirects only to an allowed URL", async (_, callbackUrl, expected) => {
    const to = location(await app().post("/auth/signout", { callbackUrl })) ?? ""
    expect(new URL(to).href).toBe(new URL(expected).href)
  })

  test.each(["javascript:alert(1)", "//evil.test", "%%%", "null", "\u0000"])(
    "a callback URL cookie with %j is ignored and replaced",
    async (value) => {
      const response = await app().post("/auth/signout", {}, cookie(value))
      expect(new URL(location(response) ?? "").origin).toBe(origin)
      expect(cookieNames(response)).toEqual([callbackCookie])
    },
  )

  test("a malformed callback URL cookie breaks no route", async () => {
    const { get } = app()
    const headers = { cookie: `${callbackCookie}=%E0%A4%A` }
    for (const route of ["session", "csrf", "providers", "signin", "signout", "verify-request"])
      expect((await get(`/auth/${route}`, headers)).status, route).toBe(200)
  })
})

describe("the page that sent a form without a callback URL", () => {
  const target = async (referer: string, config: Parameters<typeof app>[0] = {}) =>
    location(await app(config).post("/auth/callback/credentials", { name: "ada", password: "open" }, { referer }))

  test.each([
    [`${origin}/products?page=3&a=%C3%BC`, "/products?page=3&a=%C3%BC"],
    [`${origin}/products?page=3#reviews`, "/products?page=3"],
    [`${origin}/`, "/"],
    [`${origin}/auth-guide`, "/auth-guide"],
  ])("%s is where the user goes", async (referer, expected) => {
    expect(await target(referer)).toBe(origin + expected)
  })

  test.each([
    ["of another site", "https://evil.test/products?page=3"],
    ["of a subdomain", "https://x.app.test/products"],
    ["of another scheme", "http://app.test/products"],
    ["of another port", "https://app.test:444/products"],
    ["with another host in its path", `${origin}//evil.test`],
    ["that isn't a URL", "nonsense"],
    ["of a built-in page", `${origin}/auth/signin`],
    ["with a common name for a sign-in page", `${origin}/en/sign-in?a=b`],
    ["for signing up", `${origin}/register/`],
  ])("%s isn't where the user goes", async (_, referer) => {
    expect(await target(referer)).toMatch(/^https:\/\/app\.test\/?$/)
  })

  test("is the configured sign-in page, so its own callback URL counts", async () => {
    const pages = { signIn: "/welcome-back" }
    expect(await target(`${origin}/welcome-back`, { pages })).toBe(origin)
    expect(await target(`${origin}/welcome-back?callbackUrl=%2Fa%3Fb%3Dc`, { pages })).toBe(`${origin}/a?b=c`)
    expect(await target(`${origin}/start?callbackUrl=${origin}/a`, { pages })).toBe(`${origin}/a`)
    expect(await target(`${origin}/start?callbackUrl=https://evil.test`, { pages })).toBe(origin)
  })

  test("keeps its query to itself under strict", async () => {
    const strict = { security: "strict", url: `${origin}/auth` } as const
    expect(await target(`${origin}/reset?token=secret`, strict)).toBe(`${origin}/reset`)
  })
})

describe("the callback URL cookie", () => {
  test("is set by GET signin for a custom sign-in page, whose form may not repeat the callback URL", async () => {
    const pages = { signIn: "/login" }
    const response = await app({ pages }).get("/auth/signin?callbackUrl=/a")
    expect(setCookies(response)).toEqual([
      `${callbackCookie}=${encodeURIComponent(`${origin}/a`)}; Max-Age=3600; Path=/; HttpOnly; Secure; SameSite=Lax`,
    ])
    expect(cookieNames(await app({ pages }).get("/auth/signin"))).toEqual([])
  })

  test.each(["signin", "signin/credentials", "signout"])("is set by GET %s, except under strict", async (route) => {
    const value = `${callbackCookie}=${encodeURIComponent(`${origin}/a`)};`
    const response = await app().get(`/auth/${route}?callbackUrl=/a`)
    expect(setCookies(response).filter((line) => line.startsWith(value))).toHaveLength(1)
    const strict = await app({ security: "strict", url: `${origin}/auth` }).get(`/auth/${route}?callbackUrl=/a`)
    expect(cookieNames(strict).filter((name) => name.includes("callback-url"))).toEqual([])
  })

  test("isn't set by other GET requests, or by HEAD", async () => {
    const { get, send } = app()
    for (const route of ["session", "providers", "csrf", "error", "verify-request"]) {
      const response = await get(`/auth/${route}?callbackUrl=/a`)
      expect(cookieNames(response), route).not.toContain(callbackCookie)
    }
    const head = await send("/auth/signin?callbackUrl=/a", { method: "HEAD" })
    expect(cookieNames(head)).not.toContain(callbackCookie)
  })

  test("is set by POST signin, with the resolved URL", async () => {
    const response = await app().post("/auth/signin", { callbackUrl: "/a b" })
    expect(setCookies(response)).toEqual([
      `${callbackCookie}=${encodeURIComponent(`${origin}/a%20b`)}; Max-Age=3600; Path=/; HttpOnly; Secure; SameSite=Lax`,
    ])
  })

  test("isn't set again with the same value", async () => {
    const response = await app().post("/auth/signin", { callbackUrl: "/a" }, cookie(`${origin}/a`))
    expect(cookieNames(response)).toEqual([])
  })

  test("is set before the cookies of the flow", async () => {
    const response = await app({ providers: [op.provider()] }).post(`/auth/signin/${op.id}`, { callbackUrl: "/a" })
    expect(cookieNames(response)).toEqual([callbackCookie, expect.stringContaining("authjs.state.")])
  })

  test("is where a credentials sign-in redirects, and stays afterwards; under strict it's cleared", async () => {
    const fields = { name: "ada", password: "open" }
    const response = await app().post("/auth/callback/credentials", fields, cookie(`${origin}/a`))
    expect(location(response)).toBe(`${origin}/a`)
    expect(cookieNames(response)).not.toContain(callbackCookie)
    const strict = await app({ security: "strict", url: `${origin}/auth` }).post("/auth/callback/credentials", fields, {
      cookie: `__Host-authjs.callback-url=${encodeURIComponent(`${origin}/a`)}`,
    })
    expect(location(strict)).toBe(`${origin}/a`)
    expect(setCookies(strict)).toContain(
      "__Host-authjs.callback-url=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax",
    )
  })

  test.each([
    ["callback/credentials", { name: "ada", password: "open" }],
    ["signout", {}],
  ])("keeps the URL that POST %s names, for the next form without one", async (route, fields) => {
    const response = await app().post(`/auth/${route}`, { ...fields, callbackUrl: "/a" }, cookie(`${origin}/old`))
    const value = `${callbackCookie}=${encodeURIComponent(`${origin}/a`)};`
    expect(setCookies(response).filter((line) => line.startsWith(value))).toHaveLength(1)
  })
})

describe("the redirect callback", () => {
  test("gets the requested URL and the base URL, and its result is used", async () => {
    const seen: unknown[] = []
    const redirect = (params: { url: string; baseUrl: string }) => {
      seen.push(params)
      return "https://other.test/welcome"
    }
    const response = await app({ callbacks: { redirect } }).post("/auth/signout", { callbackUrl: "/a" })
    expect(location(response)).toBe("https://other.test/welcome")
    expect(seen).toEqual([{ url: "/a", baseUrl: origin }])
  })

  test.each([
    ["/auth/signin", "signin"],
    ["/auth/signout", "signout"],
  ])("that throws redirects POST %s to the error page", async (path) => {
    const redirect = () => {
      throw new Error("no")
    }
    const response = await app({ callbacks: { redirect } }).post(path, { callbackUrl: "/a" })
    expect(location(response)).toBe(`${origin}/auth/error?error=Configuration`)
  })

  test("that throws doesn't affect routes without a callback URL", async () => {
    const redirect = () => {
      throw new Error("no")
    }
    const { get } = app({ callbacks: { redirect } })
    for (const route of ["session", "csrf", "providers"]) expect((await get(`/auth/${route}`)).status).toBe(200)
  })

  test.each(["javascript:alert(1)", "data:text/html,x", "", "https://"])(
    "that returns %j is ignored with a warning",
    async (url) => {
      const { post, log } = app({ callbacks: { redirect: () => url } })
      const to = location(await post("/auth/signout", { callbackUrl: "/a" })) ?? ""
      expect(new URL(to).origin).toBe(origin)
      if (url !== "") expect(log.entries.map(({ message }) => message)).toContain("redirect-refused")
    },
  )
})
