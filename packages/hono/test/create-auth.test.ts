import type { AuthConfig } from "@latchkey/core/types"
import credentials from "@latchkey/hono/providers/credentials"
import { captureLog, openBrowser } from "@latchkey/testing"
import { Hono } from "hono"
import { bodyLimit } from "hono/body-limit"
import { createMiddleware } from "hono/factory"
import { describe, expect, test } from "vitest"
import { createAuth } from "../src/index.js"
import { connected } from "../../../tests/connected.js"
import { expectAccount, twoSessions } from "../../../tests/two-sessions.js"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"

const password = credentials({
  credentials: { name: {}, password: {} },
  authorize: ({ name, password }) => (password === "open sesame" ? { id: String(name), name: String(name) } : null),
})

const typed = { name: "ada", password: "open sesame" }

function application(extra: Partial<AuthConfig> = {}) {
  const auth = createAuth({
    secret,
    trustHost: true,
    providers: [password],
    logger: captureLog().logger,
    callbacks: {
      jwt: ({ token, trigger, session }) =>
        trigger === "update" ? { ...token, name: session?.user?.name ?? null } : token,
    },
    ...extra,
  })
  const app = new Hono()
  app.use(auth.routes)
  app.get("/", auth.session, (c) => c.json(c.var.session?.user?.name ?? null))
  app.get("/account", auth.requireSession, (c) => c.json(c.var.session.user?.name ?? null))
  app.get("/away", auth.session, () => Response.redirect("https://elsewhere.test/"))
  app.post("/sign-in", async (c) => auth.signIn(c, "credentials", await c.req.parseBody()))
  app.get("/token", async (c) => c.text(await auth.csrfToken(c)))
  app.post("/sign-out", (c) => auth.signOut(c, { redirectTo: "/" }))
  app.post("/rename", async (c) => {
    const { name } = await c.req.parseBody()
    return c.json((await auth.update(c, { user: { name: String(name) } }))?.user?.name)
  })
  return { app, auth, browser: open(app) }
}

function open(app: Hono) {
  return openBrowser({ origin: "https://app.test", handle: (request) => app.fetch(request) })
}

describe("createAuth", () => {
  test("a constant response gets no cookies of a visitor", async () => {
    const { app, auth, browser } = application({ session: { updateAge: 0 } })
    const constant = new Response(null, { status: 204 })
    app.get("/constant", auth.session, () => constant)
    await browser.post("/sign-in", typed)
    await browser.get("/constant")
    expect(browser.response.headers.getSetCookie()).toHaveLength(1)
    expect((await app.request("https://app.test/constant")).headers.getSetCookie()).toEqual([])
  })

  test("`protect` opens the sign-in page only as middleware for many routes", async () => {
    const { auth } = application({ pages: { signIn: "/login" } })
    const login = (app: Hono) => app.get("/login", (c) => c.text("sign-in page"))
    const statusOf = async (app: Hono) => (await app.request("/login")).status
    expect(await statusOf(login(new Hono().use(auth.protect)))).toBe(200)
    expect(await statusOf(login(new Hono().use("/*", auth.protect)))).toBe(200)
    expect(await statusOf(new Hono().route("/", login(new Hono().use(auth.protect))))).toBe(200)
    expect(await statusOf(new Hono().get("/login", auth.protect, (c) => c.text("secret")))).toBe(401)
    expect(await statusOf(new Hono().get("/*", auth.protect, (c) => c.text("secret")))).toBe(401)
    expect(await statusOf(new Hono().all("/login", auth.protect, (c) => c.text("secret")))).toBe(401)
  })

  test("a form with the token of csrfToken posts to the auth routes", async () => {
    const { browser } = application()
    await browser.get("/token")
    await browser.post("/auth/callback/credentials", { ...typed, csrfToken: browser.text })
    expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("a form signs in, renames and signs out", async () => {
    const { browser } = application()
    await browser.post("/sign-in", { ...typed, redirectTo: "/account" })
    expect(browser.location).toBe("https://app.test/account")
    expect(browser.text).toBe('"ada"')
    await browser.post("/rename", { name: "Grace" })
    expect(browser.text).toBe('"Grace"')
    await browser.get("/")
    expect(browser.text).toBe('"Grace"')
    await browser.post("/sign-out")
    expect(browser.text).toBe("null")
  })

  test("the built-in pages sign in", async () => {
    const { browser } = application()
    await browser.get("/account")
    expect(browser.location).toBe("https://app.test/auth/signin?callbackUrl=%2Faccount")
    await browser.submitForm("credentials", typed)
    expect(browser.text).toBe('"ada"')
  })

  test("an API gets 401, and another site can't sign in", async () => {
    const { browser } = application()
    expect((await browser.fetch("/account")).status).toBe(401)
    await browser.post("/sign-in", typed, { from: "https://evil.test" })
    await browser.get("/")
    expect(browser.text).toBe("null")
  })

  test("an app can show the error itself", async () => {
    const { app, auth, browser } = application()
    app.post("/check", async (c) => {
      const { to, error } = await auth.signIn(c, "credentials", { ...typed, password: "wrong", redirect: false })
      return c.json({ to, error: error?.type })
    })
    await browser.post("/check")
    expect(JSON.parse(browser.text)).toMatchObject({ error: "CredentialsSignin" })
  })

  test.each(["/", "/away"])("%s renews the session, and no cache stores it", async (path) => {
    const { app, browser } = application({ session: { updateAge: 0 } })
    app.use(async (c, next) => {
      await next()
      c.header("set-cookie", "theme=dark", { append: true })
    })
    app.get("/late", (c) => c.text("late"))
    await browser.post("/sign-in", typed)
    const response = await browser.fetch(path)
    expect(response.headers.getSetCookie().map((line) => line.split("=", 1)[0])).toContain(
      "__Secure-authjs.session-token",
    )
    expect(response.headers.get("cache-control")).toBe("private, no-store")
  })

  test("cookies of the app stay", async () => {
    const { app, auth, browser } = application({ session: { updateAge: 0 } })
    app.get("/theme", auth.session, (c) => c.text("page", 200, { "set-cookie": "theme=dark; Path=/" }))
    await browser.post("/sign-in", typed)
    const response = await browser.fetch("/theme")
    expect(response.headers.getSetCookie()).toHaveLength(2)
    expect(browser.cookies.map(({ name }) => name)).toContain("theme")
  })

  test("without the middleware for cookies, sessions are read, and nothing is changed", async () => {
    const { auth, browser } = application({ session: { updateAge: 0 } })
    await browser.post("/sign-in", typed)
    const app = new Hono()
    app.get("/", auth.session, (c) => c.json(c.var.session?.user?.name ?? null))
    app.onError((error, c) => c.text(error.message))
    app.post("/sign-out", (c) => auth.signOut(c))
    const other = openBrowser({ origin: browser.origin, jar: browser.jar, handle: (request) => app.fetch(request) })
    await other.get("/")
    expect(other.text).toBe('"ada"')
    expect(other.response.headers.getSetCookie()).toEqual([])
    await other.post("/sign-out")
    expect(other.text).toContain("app.use(auth.routes)")
  })

  test("a function gets the configuration from the bindings of a request", async () => {
    const auth = createAuth((c) => ({ secret: c.env.KEY, trustHost: true, providers: [password] }))
    const app = new Hono<{ Bindings: { KEY: string } }>()
    app.use(auth.routes)
    app.get("/", auth.session, (c) => c.json(c.var.session?.user?.name ?? null))
    app.post("/sign-in", (c) => auth.signIn(c, "credentials", typed))
    const browser = openBrowser({
      origin: "https://app.test",
      handle: (request) => app.fetch(request, { KEY: secret }),
    })
    await browser.post("/sign-in")
    await browser.get("/")
    expect(browser.text).toBe('"ada"')
  })

  test("the auth routes work in an app with a base path, and the base path of the configuration", async () => {
    const { app } = application({ basePath: "/api/sign" })
    expect(await (await app.request("/api/sign/session")).text()).toBe("null")
    expect((await app.request("/auth/session")).status).toBe(404)
  })

  test.each([
    ["a form", new URLSearchParams(typed)],
    ["JSON", JSON.stringify(typed)],
  ])("%s that a middleware has read reaches the auth routes", async (_, body) => {
    const { auth } = application()
    const reading = createMiddleware(async (c, next) => {
      if (typeof body === "string") await c.req.json()
      else await c.req.parseBody()
      await next()
    })
    const app = new Hono().use(bodyLimit({ maxSize: 10_000 }))
    app.post("*", reading)
    app.use(auth.routes)
    const csrf = await app.request("https://app.test/auth/csrf")
    const { csrfToken } = await csrf.json()
    const cookie = csrf.headers
      .getSetCookie()
      .map((line) => line.split(";", 1)[0])
      .join("; ")
    const sent =
      typeof body === "string"
        ? JSON.stringify({ ...typed, csrfToken })
        : new URLSearchParams([...body, ["csrfToken", csrfToken]])
    const type = typeof body === "string" ? { "content-type": "application/json" } : undefined
    const response = await app.request("https://app.test/auth/callback/credentials", {
      method: "POST",
      body: sent,
      headers: { cookie, origin: "https://app.test", ...type },
    })
    expect(response.headers.getSetCookie().join()).toContain("__Secure-authjs.session-token=")
  })

  test("middleware that protects everything lets users open the sign-in page", async () => {
    const { auth } = application({ pages: { signIn: "/login" } })
    const app = new Hono().use(auth.routes, auth.protect)
    app.get("*", (c) => c.text("open"))
    const headers = { accept: "text/html" }
    expect(await (await app.request("/login?error=CredentialsSignin", { headers })).text()).toBe("open")
    expect((await app.request("/", { headers })).headers.get("location")).toBe("/login?callbackUrl=%2F")
  })
})

test("routes read and change the account of the user", async () => {
  const auth = createAuth(await twoSessions())
  const app = new Hono()
    .use(auth.routes)
    .get("/sessions", async (c) => c.text(String((await auth.account(c).sessions()).length)))
    .post("/others", async (c) => c.text(String(await auth.account(c).revokeOtherSessions())))
  await expectAccount("https://app.test", (request) => app.fetch(request))
})

test("the server ends every session of a user without a request", async () => {
  const options = await twoSessions()
  await createAuth(options).revoke("1", "stolen laptop")
  expect(options.adapter.rows().sessions).toEqual([])
})

test("`token` and `token.fetch` act for the user who sent the request", async () => {
  const { config, cookie, sent } = await connected()
  const { token } = createAuth(config)
  const app = new Hono()
    .get("/token", async (c) => c.json(await token(c, "op")))
    .get("/api", async (c) => {
      const answer = await token.fetch(c, "op", "https://api.test/items")
      return "problem" in answer ? c.json(answer) : answer
    })
  const text = async (path: string, headers = {}) => (await app.request(`https://app.test${path}`, { headers })).text()
  const { accessToken } = JSON.parse(await text("/token", { cookie })) as { accessToken: string }
  expect(await text("/api", { cookie })).toBe("from the API")
  expect(sent).toEqual([`Bearer ${accessToken}`])
  expect(await text("/token")).toBe('{"problem":"not-signed-in"}')
})
