import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { describe, expect, test } from "vitest"
import { app, cookieNames, csrfCookie, location, op, origin, typed } from "./app.js"

const mail = { id: "mail", type: "email", name: "Mail", maxAge: 60, sendVerificationRequest: () => undefined } as const

test("GET session without a session is null, isn't cached and sets no cookie", async () => {
  const response = await app().get("/auth/session")
  expect([response.status, await response.text()]).toEqual([200, "null"])
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "cache-control": "private, no-cache, no-store",
    expires: "0",
    pragma: "no-cache",
    "content-type": "application/json",
  })
  expect(cookieNames(response)).toEqual([])
})

test("GET csrf returns a token of 64 hex digits and its cookie, and isn't cached", async () => {
  const response = await app().get("/auth/csrf")
  expect(await response.json()).toEqual({ csrfToken: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(cookieNames(response)).toEqual([csrfCookie])
  expect(response.headers.get("cache-control")).toBe("private, no-cache, no-store")
})

test("GET providers lists the providers in configured order and sets no cookie", async () => {
  const response = await app({
    adapter: memoryAdapter(),
    session: { strategy: "jwt" },
    providers: [op.provider({ id: "zed" }), typed, mail],
  }).get("/auth/providers")
  const text = await response.text()
  const entry = (id: string, name: string, type: string) => ({
    id,
    name,
    type,
    signinUrl: `${origin}/auth/signin/${id}`,
    callbackUrl: `${origin}/auth/callback/${id}`,
  })
  const zed = entry("zed", op.provider({ id: "zed" }).name ?? "", "oidc")
  expect(text).toBe(
    JSON.stringify({
      zed,
      credentials: entry("credentials", "Credentials", "credentials"),
      mail: entry("mail", "Mail", "email"),
    }),
  )
  expect(cookieNames(response)).toEqual([])
})

test.each(["signin", "signout", "verify-request"])("GET %s is an HTML page", async (page) => {
  const response = await app().get(`/auth/${page}`)
  expect(response.status).toBe(200)
  expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8")
  expect(response.headers.get("cache-control")).toContain("no-store")
  expect(await response.text()).toMatch(/^<!DOCTYPE html>/)
})

test("GET signin with a provider shows the sign-in page and starts no sign-in", async () => {
  const response = await app({ providers: [op.provider()] }).get(`/auth/signin/${op.id}`)
  expect([response.status, cookieNames(response)]).toEqual([200, [csrfCookie]])
})

test("POST signin without a provider redirects to the sign-in page", async () => {
  expect(location(await app().post("/auth/signin"))).toBe(`${origin}/auth/signin`)
})

test("POST signin for a credentials provider redirects to the sign-in page", async () => {
  const response = await app().post("/auth/signin/credentials", { name: "ada", password: "open" })
  expect(location(response)).toBe(`${origin}/auth/signin`)
  expect(cookieNames(response)).toEqual([])
})

test("POST signin for an email provider redirects to the verify-request page", async () => {
  const { post } = app({ adapter: memoryAdapter(), providers: [mail] })
  expect(location(await post("/auth/signin/mail", { email: "ada@app.test" }))).toBe(
    `${origin}/auth/verify-request?provider=mail&type=email`,
  )
})

test("POST signin for an OAuth provider redirects to its authorization endpoint", async () => {
  const to = location(await app({ providers: [op.provider()] }).post(`/auth/signin/${op.id}`))
  expect(new URL(to ?? "").origin).toBe(new URL(op.issuer).origin)
})

describe("paths", () => {
  const strange = [
    "/auth",
    "/auth/",
    "/authsession",
    "/auth/nothing",
    "/auth/session/github",
    "/auth/csrf/credentials",
    "/auth/signin/unknown",
    "/auth/callback/unknown",
    "/auth/callback",
    "/auth/callback/undefined",
    "/auth/signin/__proto__",
    "/auth/callback/constructor",
    "/auth/toString",
    "/auth//session",
    "/auth/signin//credentials",
    "/auth/signin/credentials/more",
    "/auth/%73ession",
    "/auth/SESSION",
    "/AUTH/session",
    "/other/session",
    `/auth/${"a".repeat(10_000)}`,
  ]
  test.each(strange.map((path) => [path.slice(0, 60), path]))("%s is 404 and isn't logged", async (_, path = "") => {
    const { get, log } = app()
    const response = await get(path)
    expect([response.status, await response.json()]).toEqual([404, "Not found."])
    expect([cookieNames(response), log.entries.filter(({ level }) => level === "error")]).toEqual([[], []])
  })

  test("a trailing slash is ignored", async () => {
    expect((await app().get("/auth/session/")).status).toBe(200)
  })

  test('the provider "undefined" means no provider', async () => {
    expect((await app().get("/auth/signin/undefined")).status).toBe(200)
  })

  test.each(["/api/a.b", "/api/a.b/", "api/a.b"])(
    "the base path %s is matched literally, by whole segments",
    async (basePath) => {
      const { get } = app({ basePath })
      const found = await Promise.all(
        ["/api/a.b/session", "/api/a-b/session", "/api/a.bsession"].map((path) => get(path)),
      )
      expect(found.map(({ status }) => status)).toEqual([200, 404, 404])
      expect(await (await get("/api/a.b/providers")).json()).toMatchObject({
        credentials: { signinUrl: `${origin}/api/a.b/signin/credentials` },
      })
    },
  )

  test("with the base path /, the routes are at the root", async () => {
    const { get } = app({ basePath: "/" })
    expect((await get("/session")).status).toBe(200)
    expect(await (await get("/providers")).text()).not.toContain("test//")
  })
})

describe("methods", () => {
  test.each(["csrf", "providers", "error", "verify-request"])("POST %s is 405 with an Allow header", async (action) => {
    const response = await app().post(`/auth/${action}`)
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET"])
  })

  test.each(["PUT", "DELETE", "PATCH", "PROPFIND"])("%s is 405", async (method) => {
    const { send, log } = app()
    const response = await send("/auth/session", { method })
    expect([response.status, response.headers.get("allow"), log.entries.length]).toEqual([405, "GET, POST", 0])
  })

  test("OPTIONS is 204 and isn't logged", async () => {
    const { send, log } = app()
    expect([(await send("/auth/session", { method: "OPTIONS" })).status, log.entries.length]).toEqual([204, 0])
  })

  test.each(["session", "csrf", "providers", "signin", "signout", "verify-request"])(
    "HEAD %s has the status of GET and no body",
    async (action) => {
      const response = await app().send(`/auth/${action}`, { method: "HEAD" })
      expect([response.status, await response.text()]).toEqual([200, ""])
    },
  )

  test("HEAD of a redirect has no body, even as JSON", async () => {
    const { send } = app({ pages: { signIn: "/login" } })
    const headers = { "x-auth-return-redirect": "1" }
    expect(await (await send("/auth/signin", { method: "HEAD", headers })).text()).toBe("")
  })

  test("HEAD of a callback has no effect", async () => {
    const { send, log } = app({ providers: [op.provider()] })
    const response = await send(`/auth/callback/${op.id}?code=x&state=y`, { method: "HEAD" })
    expect([response.status, cookieNames(response), log.entries.length]).toEqual([200, [], 0])
  })

  test("GET of a credentials callback is refused", async () => {
    const response = await app().get("/auth/callback/credentials?name=ada&password=open")
    expect(location(response)).toBe(`${origin}/auth/error?error=Configuration`)
    expect(cookieNames(response)).toEqual([])
  })
})
