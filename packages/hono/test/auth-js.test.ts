import credentials from "@latchkey/hono/providers/credentials"
import { memoryAdapter } from "@latchkey/adapter-kit"
import { captureLog, openBrowser } from "@latchkey/testing"
import { Hono } from "hono"
import { describe, expect, test } from "vitest"
import { type AuthConfig, authHandler, getAuthUser, initAuthConfig, reqWithEnvUrl, verifyAuth } from "../src/index.js"

const password = credentials({
  credentials: { name: {} },
  authorize: ({ name }) => ({ id: String(name), name: String(name) }),
})

function application(extra: Partial<AuthConfig> = {}, path = "/api/auth") {
  const app = new Hono()
  const { logger } = captureLog()
  const config = () => ({
    secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
    trustHost: true,
    logger,
    providers: [password],
    ...extra,
  })
  app.use("*", initAuthConfig(config))
  app.use(`${path}/*`, authHandler())
  app.use("/api/*", verifyAuth())
  app.get("/api/me", (c) => c.json(c.get("authUser")))
  app.get("/who", async (c) => c.json((await getAuthUser(c))?.session.user?.name ?? null))
  return openBrowser({ origin: "https://app.test", handle: (request) => app.fetch(request) })
}

async function signIn(browser: ReturnType<typeof application>, path = "/api/auth") {
  await browser.get(`${path}/csrf`)
  const { csrfToken } = JSON.parse(browser.text)
  await browser.post(`${path}/callback/credentials`, { name: "ada", csrfToken })
}

describe("the names of @hono/auth-js", () => {
  test("protect routes, and say who is signed in", async () => {
    const browser = application()
    const refused = await browser.fetch("/api/me")
    expect([refused.status, await refused.text()]).toEqual([401, "Unauthorized"])
    await signIn(browser)
    await browser.get("/api/me")
    expect(JSON.parse(browser.text)).toMatchObject({
      session: { user: { name: "ada" } },
      token: { sub: "ada", name: "ada" },
    })
    await browser.get("/who")
    expect(browser.text).toBe('"ada"')
  })

  test("the auth routes are where the handler is mounted", async () => {
    const browser = application({}, "/session/of/users")
    await signIn(browser, "/session/of/users")
    await browser.get("/who")
    expect(browser.text).toBe('"ada"')
    await browser.get("/session/of/users/providers")
    expect(JSON.parse(browser.text).credentials.callbackUrl).toBe(
      "https://app.test/session/of/users/callback/credentials",
    )
  })

  test("the stored user is known with database sessions, and the session doesn't contain it", async () => {
    const adapter = memoryAdapter()
    const user = await adapter.createUser({ id: "1", name: "ada", email: "ada@example.com", emailVerified: null })
    await adapter.createSession({ sessionToken: "token", userId: user.id, expires: new Date(Date.now() + 60_000) })
    const browser = application({ adapter, session: { strategy: "database" }, useSecureCookies: false })
    const response = await browser.fetch("/api/me", { headers: { cookie: "authjs.session-token=token" } })
    const { session, user: stored } = JSON.parse(await response.text())
    expect(session).toEqual({
      user: { name: "ada", email: "ada@example.com", image: null },
      expires: expect.any(String),
    })
    expect(stored).toMatchObject({ id: "1" })
  })

  test("verifyAuth renews a session", async () => {
    const browser = application({ session: { updateAge: 0 } })
    await signIn(browser)
    expect((await browser.fetch("/api/me")).headers.getSetCookie()).toHaveLength(1)
    expect((await browser.fetch("/who")).headers.getSetCookie()).toEqual([])
  })

  test.each([
    ["AUTH_URL", "https://public.test/api/auth", {}, "https://public.test/path?a=1"],
    [
      "forwarded headers",
      undefined,
      { "x-forwarded-host": "public.test:81", "x-forwarded-proto": "https" },
      "https://public.test:81/path?a=1",
    ],
    ["neither", "", {}, "http://internal:3000/path?a=1"],
  ])("reqWithEnvUrl takes the origin from %s", async (_, url, headers, expected) => {
    const request = new Request("http://internal:3000/path?a=1", { method: "POST", body: "a", headers })
    const made = reqWithEnvUrl(request, url)
    expect([made.url, made.method, await made.text()]).toEqual([expected, "POST", "a"])
  })
})
