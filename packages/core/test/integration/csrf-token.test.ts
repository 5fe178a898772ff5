import { AuthError } from "@latchkey/core/errors"
import { createIntegration, type Framework } from "@latchkey/core/integration"
import credentials from "@latchkey/core/providers/credentials"
import { createServer, serializeCookie } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { openBrowser } from "@latchkey/testing"
import { expect, test } from "vitest"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"

const framework: Framework<Request> = {
  basePath: "/auth",
  env: () => ({ AUTH_SECRET: secret, AUTH_TRUST_HOST: "true" }),
  read: (request) => ({ method: request.method, url: new URL(request.url), headers: request.headers }),
  toRequest: (request) => request,
}

const password = credentials({
  credentials: { name: {}, password: {} },
  authorize: ({ name, password }) => (password === "open sesame" ? { id: String(name), name: String(name) } : null),
})

interface Given {
  readonly config?: Partial<AuthConfig>
  readonly framework?: Partial<Framework<Request>>
  readonly page?: (auth: ReturnType<typeof createIntegration<Request>>, request: Request) => Promise<unknown>
}

/** An application whose home page shows the token in two forms. */
function application({ config, framework: own, page }: Given = {}) {
  const auth = createIntegration<Request>({ providers: [password], ...config }, { ...framework, ...own })
  const home = page ?? (async (_, request) => Promise.all([auth.csrfToken(request), auth.csrfToken(request)]))
  const handle = async (request: Request) =>
    (await auth.handle(request)) ?? auth.finish(request, Response.json(await home(auth, request)))
  return openBrowser({ origin: "https://app.test", handle })
}

async function tokens(browser: ReturnType<typeof application>): Promise<readonly string[]> {
  return (await browser.fetch("/")).json()
}

const typed = { name: "ada", password: "open sesame" }

test("a form of the application with the token posts to the auth routes", async () => {
  const browser = application()
  const [csrfToken = "", other] = await tokens(browser)
  expect(csrfToken).toMatch(/^[0-9a-f]{64}$/)
  expect(other).toBe(csrfToken)
  await browser.post("/auth/callback/credentials", { ...typed, csrfToken })
  expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
})

test("a browser that has a token keeps it, and a signed-in user gets another one", async () => {
  const browser = application()
  const [before = ""] = await tokens(browser)
  expect(await tokens(browser)).toEqual([before, before])
  await browser.post("/auth/callback/credentials", { ...typed, csrfToken: before })
  const [after = ""] = await tokens(browser)
  expect(after).not.toBe(before)
  await browser.post("/auth/signout", { csrfToken: after })
  expect(await browser.session()).toBeNull()
})

test("a sign-in in the same request gets a token of its own", async () => {
  const page: Given["page"] = async (auth, request) => {
    const before = await auth.csrfToken(request)
    await auth.signIn(request, "credentials", typed)
    return [before, await auth.csrfToken(request)]
  }
  const browser = application({ page })
  const [before, after = ""] = await tokens(browser)
  expect(after).not.toBe(before)
  await browser.post("/auth/signout", { csrfToken: after, callbackUrl: "/auth/session" })
  expect(await browser.session()).toBeNull()
})

test("a response that sets the cookie isn't kept by a cache", async () => {
  const browser = application()
  await browser.get("/")
  expect(browser.response.headers.get("cache-control")).toBe("private, no-store")
  expect(browser.response.headers.getSetCookie()).toEqual([
    expect.stringMatching(/^__Host-authjs\.csrf-token=.*HttpOnly/),
  ])
})

test("where the application checks the sender itself, there's no token, and forms work without one", async () => {
  const browser = application({ framework: { acceptsForms: true } })
  expect(await tokens(browser)).toEqual(["", ""])
  await browser.post("/auth/callback/credentials", { ...typed, csrfToken: "" })
  expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
})

test("after the headers were sent, only a browser that has a cookie gets its token", async () => {
  let isSent = false
  const page: Given["page"] = async (auth, request) => {
    const result = auth.csrfToken(request).catch((error: unknown) => error)
    return (await result) instanceof AuthError ? ["refused"] : [await result]
  }
  const browser = application({ page, framework: { isSent: () => isSent } })
  isSent = true
  expect(await tokens(browser)).toEqual(["refused"])
  isSent = false
  const [token] = await tokens(browser)
  isSent = true
  expect(await tokens(browser)).toEqual([token])
})

test("a page that the server renders gets the first step, whose token and cookie belong together", async () => {
  const config = { secret, url: "https://app.test/auth", providers: [password], pages: { signIn: "/login" } }
  const server = createServer(config)
  const visitor = { headers: new Headers({ "accept-language": "en" }), origin: "https://app.test" }
  const { step, cookies } = await server.signInMethods(visitor, { callbackUrl: "/inbox", error: "AccessDenied" })
  expect(step).toMatchObject({
    status: "methods",
    callbackUrl: "https://app.test/inbox",
    methods: [{ id: "credentials", url: "https://app.test/auth/callback/credentials" }],
    error: { code: "AccessDenied" },
  })
  const response = await server.handle(
    new Request(step.methods[0]?.url ?? "", {
      method: "POST",
      body: new URLSearchParams({ ...typed, csrfToken: step.csrfToken, callbackUrl: step.callbackUrl }),
      headers: { cookie: cookies.map((cookie) => serializeCookie(cookie).split(";", 1)[0]).join("; ") },
    }),
  )
  expect(response.headers.get("location")).toBe("https://app.test/inbox")
})
