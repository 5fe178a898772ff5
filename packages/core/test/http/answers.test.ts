import { describe, expect, test } from "vitest"
import { Auth, raw } from "@latchkey/core"
import type { AuthConfig } from "@latchkey/core/types"
import credentials from "@latchkey/core/providers/credentials"
import { app, cookieNames, csrfPair, location, op, origin, secret, sessionCookie, sessionOf, typed } from "./app.js"

describe("X-Auth-Return-Redirect", () => {
  test.each(["1", "", "false"])(
    "with the value %j, a redirect becomes JSON with the same headers and cookies",
    async (value) => {
      const fields = { name: "ada", password: "open", callbackUrl: "/a" }
      const response = await app().post("/auth/callback/credentials", fields, { "x-auth-return-redirect": value })
      expect([response.status, await response.json()]).toEqual([200, { url: `${origin}/a` }])
      expect(location(response)).toBe(`${origin}/a`)
      expect(cookieNames(response)).toContain(sessionCookie)
      expect(response.headers.get("content-type")).toBe("application/json")
    },
  )

  test("an error redirect becomes JSON without cookies", async () => {
    const fields = { name: "ada", password: "wrong" }
    const response = await app().post("/auth/callback/credentials", fields, { "x-auth-return-redirect": "1" })
    const url = `${origin}/auth/signin?error=CredentialsSignin&code=credentials`
    expect([response.status, await response.json(), cookieNames(response)]).toEqual([200, { url }, []])
  })

  test.each(["/auth/session", "/auth/providers", "/auth/signin", "/auth/nothing"])(
    "doesn't change the response of %s",
    async (path) => {
      const { get } = app()
      const [plain, asked] = [await get(path), await get(path, { "x-auth-return-redirect": "1" })]
      expect(asked.status).toBe(plain.status)
      expect(asked.headers.get("content-type")).toBe(plain.headers.get("content-type"))
      expect(location(asked)).toBeNull()
    },
  )

  test("doesn't change the response to a configuration error or a bad request", async () => {
    const headers = { "x-auth-return-redirect": "1", "content-type": "application/json" }
    expect((await app({ secret: "" }).get("/auth/session", headers)).status).toBe(500)
    expect((await app().send("/auth/signout", { method: "POST", headers, body: "{" })).status).toBe(400)
  })
})

describe("the field `json` of next-auth 4's browser code", () => {
  const ada = { name: "ada", password: "open", callbackUrl: "/a", json: "true" }

  test("makes the redirect of a sign-in, a start and a sign-out its URL as JSON", async () => {
    const { post } = app({ providers: [typed, op.provider()] })
    const signedIn = await post("/auth/callback/credentials", ada)
    expect([signedIn.status, await signedIn.json()]).toEqual([200, { url: `${origin}/a` }])
    expect(cookieNames(signedIn)).toContain(sessionCookie)
    const started = await post("/auth/signin/op", { json: "true" })
    const { url } = (await started.json()) as { url: string }
    expect([started.status, new URL(url).origin]).toEqual([200, new URL(op.issuer).origin])
    const signedOut = await post("/auth/signout", { callbackUrl: "/b", json: "true" })
    expect([signedOut.status, await signedOut.json()]).toEqual([200, { url: `${origin}/b` }])
  })

  test("makes the redirect of a refusal its URL as JSON, with the error", async () => {
    const response = await app().post("/auth/callback/credentials", { ...ada, password: "wrong" })
    const url = `${origin}/auth/signin?error=CredentialsSignin&code=credentials`
    expect([response.status, await response.json()]).toEqual([200, { url }])
    expect(cookieNames(response)).not.toContain(sessionCookie)
  })

  test.each<[string, Partial<AuthConfig>, Record<string, string>]>([
    ["with another value", {}, { json: "1" }],
    ["with `compat: false`", { compat: false }, {}],
  ])("changes nothing %s", async (_, config, fields) => {
    const response = await app(config).post("/auth/callback/credentials", { ...ada, ...fields })
    expect([response.status, location(response)]).toEqual([302, `${origin}/a`])
  })
})

describe("a configuration error", () => {
  test.each(["session", "csrf", "providers", "callback/credentials"])(
    "answers GET %s with 500 and a message, and is logged",
    async (action) => {
      const { get, log } = app({ secret: "" })
      const response = await get(`/auth/${action}`)
      expect(response.status).toBe(500)
      expect(await response.json()).toEqual({ message: expect.stringMatching(/server configuration.*log/) })
      expect(log.entries.some(({ level, text }) => level === "error" && text.includes("MissingSecret"))).toBe(true)
    },
  )

  test.each(["signin", "signout", "session", "callback/credentials"])(
    "answers POST %s with 500 and a message",
    async (action) => {
      const response = await app({ secret: "" }).send(`/auth/${action}`, { method: "POST" })
      expect([response.status, response.headers.get("content-type")]).toEqual([500, "application/json"])
    },
  )

  test.each(["signin", "signout", "error", "verify-request", "signin/"])(
    "answers GET %s with an error page",
    async (action) => {
      const response = await app({ secret: "" }).get(`/auth/${action}`)
      expect([response.status, response.headers.get("content-type")]).toEqual([500, "text/html; charset=utf-8"])
      expect(await response.text()).toContain("Server error")
    },
  )

  test.each([
    ["/oops", `${origin}/oops?error=Configuration`],
    ["/oops?a=b", `${origin}/oops?a=b&error=Configuration`],
    ["https://status.test/auth", "https://status.test/auth?error=Configuration"],
  ])("redirects pages to the application's error page %s", async (page, expected) => {
    const response = await app({ secret: "", pages: { error: page } }).get("/auth/signin")
    expect([response.status, location(response)]).toEqual([302, expected])
  })

  test.each(["/oops", `${origin}/oops`])(
    "doesn't redirect in a loop if the error page %s requires a sign-in",
    async (back) => {
      const { get, log } = app({ secret: "", pages: { error: "/oops" } })
      const response = await get(`/auth/signin?callbackUrl=${encodeURIComponent(back)}`)
      expect(response.status).toBe(500)
      expect(log.entries.some(({ text }) => text.includes("ErrorPageLoop"))).toBe(true)
    },
  )

  test.each(["http://", "https://[", "//"])(
    "is answered even if the error page %j is the invalid option",
    async (error) => {
      expect((await app({ pages: { error } }).get("/auth/signin")).status).toBe(500)
    },
  )

  test("isn't described in the response", async () => {
    const text = await (await app({ secret: "", providers: [] }).get("/auth/signin")).text()
    expect(text).not.toMatch(/secret/i)
  })

  test("without trusted hosts the response is 500, and for a host that isn't listed it's 400", async () => {
    expect((await app({ trustHost: false }).get("/auth/session")).status).toBe(500)
    expect((await app({ trustHost: ["app.test"] }).get("/auth/session")).status).toBe(200)
    expect((await app({ trustHost: ["other.test"] }).get("/auth/session")).status).toBe(400)
  })
})

describe("a failed request", () => {
  test.each([
    ["a credentials sign-in", "/auth/signin?error=CredentialsSignin&code=credentials", {}],
    ["one with a page", "/login?error=CredentialsSignin&code=credentials", { signIn: "/login" }],
    ["one with a page and a query", "/login?a=b&error=CredentialsSignin&code=credentials", { signIn: "/login?a=b" }],
  ])("%s redirects to %s and is logged", async (_, expected, pages) => {
    const { post, log } = app({ pages })
    const response = await post("/auth/callback/credentials", { name: "ada", password: "wrong" })
    expect([location(response), cookieNames(response)]).toEqual([origin + expected, []])
    expect(log.entries.some(({ text }) => text.includes("CredentialsSignin"))).toBe(true)
  })

  test("redirects to an error page on another site with its query", async () => {
    const response = await app({ pages: { signIn: "https://login.test/x?a=b" } }).post("/auth/callback/credentials", {})
    expect(location(response)).toBe("https://login.test/x?a=b&error=CredentialsSignin&code=credentials")
  })

  test.each([null, undefined, "text", 7, new Error("x")])(
    "redirects to Configuration if authorize() throws %s",
    async (thrown) => {
      const provider = credentials({
        credentials: {},
        authorize: () => {
          throw thrown
        },
      })
      const { post } = app({ providers: [provider], pages: { error: "/oops" } })
      const response = await post("/auth/callback/credentials", {})
      expect([response.status, location(response)]).toEqual([302, `${origin}/oops?error=Configuration`])
    },
  )
})

describe("raw", () => {
  const config: AuthConfig & { raw: typeof raw } = {
    secret,
    trustHost: true,
    raw,
    logger: app().log.logger,
    providers: [typed, op.provider()],
  }
  const ask = async (path: string, init?: RequestInit) => Auth(new Request(origin + path, init), config)
  const form = async (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) => {
    const { token, cookie } = await csrfPair(app().send)
    return ask(path, {
      method: "POST",
      headers: { cookie, ...headers },
      body: new URLSearchParams({ csrfToken: token, ...fields }),
    })
  }

  test("returns a redirect as data, with cookies as objects", async () => {
    const answer = await form("/auth/callback/credentials", { name: "ada", password: "open", callbackUrl: "/a" })
    expect(answer).toMatchObject({ redirect: `${origin}/a` })
    expect(answer.cookies?.find(({ name }) => name === sessionCookie)).toMatchObject({
      options: { httpOnly: true, path: "/" },
    })
  })

  test("returns JSON as a value", async () => {
    const headers = { cookie: `${sessionCookie}=${await sessionOf({})}` }
    expect(await ask("/auth/session", { headers })).toMatchObject({ status: 200, body: { user: { name: "ada" } } })
    expect(await ask("/auth/providers")).toMatchObject({ status: 200, body: { credentials: { type: "credentials" } } })
  })

  test("throws an AuthError", async () => {
    await expect(form("/auth/callback/credentials", { password: "wrong" })).rejects.toMatchObject({
      type: "CredentialsSignin",
    })
    await expect(ask("/auth/signout", { method: "POST" })).rejects.toMatchObject({ type: "MissingCSRF" })
  })

  test("returns an AuthError as a redirect with X-Auth-Return-Redirect", async () => {
    const answer = await form("/auth/callback/credentials", { password: "wrong" }, { "x-auth-return-redirect": "1" })
    expect(answer).toMatchObject({ redirect: `${origin}/auth/signin?error=CredentialsSignin&code=credentials` })
    const update = await ask("/auth/session", { method: "POST", headers: { "x-auth-return-redirect": "1" } })
    expect(update).toMatchObject({ status: 400, body: null })
  })
})

test("every response forbids caching and sniffing", async () => {
  const { get, post, send } = app()
  const answers = [
    await get("/auth/session"),
    await get("/auth/signin"),
    await post("/auth/signout"),
    await get("/auth/x"),
    await send("/auth/session", { method: "PUT" }),
  ]
  for (const { headers } of answers) {
    expect(headers.get("cache-control")).toContain("no-store")
    expect(headers.get("x-content-type-options")).toBe("nosniff")
  }
  for (const shown of [await get("/auth/signin"), await post("/auth/signout")])
    expect(shown.headers.get("referrer-policy")).toBe("no-referrer")
})
