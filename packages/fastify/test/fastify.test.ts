import cookie from "@fastify/cookie"
import formbody from "@fastify/formbody"
import latchkey, { type LatchkeyOptions, requireSession } from "@latchkey/fastify"
import credentials from "@latchkey/fastify/providers/credentials"
import { type Browser, frozenClock, openBrowser } from "@latchkey/testing"
import Fastify, { type FastifyInstance, type FastifyServerOptions } from "fastify"
import { PassThrough, Readable } from "node:stream"
import { expect, onTestFinished, test } from "vitest"
import { send } from "./http.js"
import { type Counter, counting } from "../../../tests/counter.js"
import { expectToken } from "../../../tests/csrf-token.js"
import { expectAccount, twoSessions } from "../../../tests/two-sessions.js"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"
const typed = { name: "ada", password: "open sesame" }

const config = {
  secret,
  trustHost: true,
  providers: [
    credentials({
      credentials: { name: {}, password: {} },
      authorize: ({ name, password }) =>
        password === "open sesame" ? { id: String(name), name: String(name), email: `${String(name)}@app.test` } : null,
    }),
  ],
  callbacks: {
    jwt: ({ token, trigger, session }) =>
      trigger === "update" ? { ...token, name: String(session.user.name) } : token,
  },
} satisfies LatchkeyOptions

type Fields = { readonly Body: Readonly<Record<string, string>> }

/** Pages that use the plugin, below the prefix of `app`. */
function addPages(app: FastifyInstance): void {
  app.get("/", async (request) => (await request.getSession())?.user ?? null)
  app.get("/account", { preHandler: requireSession }, async (request) => request.authSession.user)
  app.get("/transfer", { preHandler: requireSession({ maxAge: "1h" }) }, async (request) => request.authSession.user)
  app.post<Fields>("/sign-in", async ({ body }, reply) => reply.signIn("credentials", { redirectTo: "/", ...body }))
  app.post<Fields>("/try", async ({ body }, reply) => {
    const { error } = await reply.signIn("credentials", { ...body, redirect: false })
    return { refused: error?.name ?? null }
  })
  app.post("/sign-out", async (_request, reply) => reply.signOut({ redirectTo: "/" }))
  app.post<Fields>("/rename", async ({ body }, reply) => reply.update({ user: { name: body["name"] ?? "" } }))
  app.get("/token", async (_request, reply) => reply.csrfToken())
}

async function listen(app: FastifyInstance): Promise<string> {
  onTestFinished(() => app.close())
  return app.listen({ host: "127.0.0.1", port: 0 })
}

async function application(options: Partial<LatchkeyOptions> = {}, server: FastifyServerOptions = {}) {
  const app = Fastify(server)
  await app.register(latchkey, { ...config, ...options })
  await app.register(formbody)
  addPages(app)
  return app
}

function browserOf(origin: string, basePath = "/auth"): Browser {
  return openBrowser({ origin, basePath, handle: send })
}

async function visit(options?: Partial<LatchkeyOptions>, server?: FastifyServerOptions): Promise<Browser> {
  return browserOf(await listen(await application(options, server)))
}

test("a route that needs a recent sign-in refuses an older one", async () => {
  const clock = frozenClock()
  const origin = await listen(await application({ runtime: clock.runtime, session: { stepUp: true } }))
  const browser = openBrowser({ origin, basePath: "/auth", handle: send, clock })
  await browser.post("/sign-in", typed)
  const pages = []
  for (const minutes of [0, 59, 10]) {
    clock.advance({ minutes })
    await browser.get("/transfer")
    pages.push(new URL(browser.location).pathname)
  }
  expect(pages).toEqual(["/transfer", "/transfer", "/auth/signin"])
})

test("forms of the application sign in, rename and sign out", async () => {
  const browser = await visit()
  await browser.post("/sign-in", typed)
  expect(JSON.parse(browser.text)).toMatchObject({ name: "ada" })
  await browser.post("/rename", { name: "Countess" })
  await browser.get("/account")
  expect(JSON.parse(browser.text)).toMatchObject({ name: "Countess" })
  await browser.post("/sign-out")
  expect(browser.text).toBe("null")
})

test("the built-in page signs in without any parser for forms in the application", async () => {
  const app = Fastify()
  await app.register(latchkey, config)
  const browser = browserOf(await listen(app))
  await browser.signIn("credentials", typed)
  expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
})

test("the auth routes read a body that a hook of the application has replaced", async () => {
  const app = Fastify()
  app.addHook("preParsing", async (_request, _reply, payload) => payload.pipe(new PassThrough()))
  await app.register(latchkey, config)
  const browser = browserOf(await listen(app))
  await browser.signIn("credentials", typed)
  expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
})

test("an application that parses forms of every content type leaves those of the auth routes alone", async () => {
  const app = Fastify()
  app.addContentTypeParser("*", { parseAs: "string" }, (_request, _body, done) =>
    done(new Error("not for this parser")),
  )
  await app.register(latchkey, config)
  const browser = browserOf(await listen(app))
  await browser.signIn("credentials", typed)
  expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
})

test("a form of the application with the token posts to the auth routes", async () => {
  await expectToken(await visit(), typed)
})

test("a form of another site doesn't sign in", async () => {
  const browser = await visit()
  await browser.post("/sign-in", typed, { from: "https://evil.test" })
  expect(await browser.session()).toBeNull()
})

test("a wrong password leads to the page that explains it, or returns the error", async () => {
  const browser = await visit()
  await browser.post("/sign-in", { ...typed, password: "wrong" })
  expect(new URL(browser.location).searchParams.get("error")).toBe("CredentialsSignin")
  await browser.post("/try", { ...typed, password: "wrong" })
  expect(JSON.parse(browser.text)).toEqual({ refused: "CredentialsSignin" })
  await browser.post("/try", typed)
  expect(JSON.parse(browser.text)).toEqual({ refused: null })
})

test("without a session, a page leads to the sign-in page, and an API responds with 401", async () => {
  const browser = await visit()
  await browser.get("/account?tab=1")
  expect(browser.location).toBe(`${browser.origin}/auth/signin?callbackUrl=%2Faccount%3Ftab%3D1`)
  const response = await browser.fetch("/account")
  expect([response.status, await response.json()]).toEqual([401, { message: "You need to sign in." }])
})

test("a route without the guard has no session to rely on", async () => {
  const app = await application()
  app.get("/open", (request) => request.authSession)
  const response = await app.inject("/open")
  expect(response.json()).toMatchObject({
    statusCode: 500,
    message: expect.stringContaining("preHandler: requireSession"),
  })
})

test("cookies of the application and of the session arrive together, and no cache stores them", async () => {
  const app = Fastify()
  await app.register(cookie)
  await app.register(latchkey, config)
  await app.register(formbody)
  app.addHook("onSend", async (_request, reply) => void reply.header("cache-control", "public, max-age=60"))
  app.post<Fields>("/sign-in", async ({ body }, reply) => {
    void reply.header("set-cookie", "first=1").setCookie("theme", "dark").header("cache-control", "public")
    return reply.signIn("credentials", { redirectTo: "/auth/session", ...body })
  })
  const browser = browserOf(await listen(app))
  await browser.post("/sign-in", typed)
  expect(browser.cookies.map(({ name }) => name)).toEqual(
    expect.arrayContaining(["first", "theme", "authjs.session-token"]),
  )
  expect(browser.trail[0]?.headers.get("cache-control")).toBe("private, no-store")
})

test("a stream has the cookies of a renewed session", async () => {
  const app = await application({ session: { updateAge: 0 } })
  app.get("/stream", async (request, reply) => {
    await request.getSession()
    return reply.header("set-cookie", "own=1").send(Readable.from(["streamed"]))
  })
  const browser = browserOf(await listen(app))
  await browser.post("/sign-in", typed)
  const response = await browser.get("/stream")
  expect(response.headers.getSetCookie().join()).toMatch(/authjs\.session-token=.*own=1/)
  expect(response.headers.get("cache-control")).toBe("private, no-store")
})

test("registered below a prefix, the routes are there, and the rest of the application has no decorators", async () => {
  const app = Fastify()
  await app.register(
    async (scope) => {
      await scope.register(latchkey, config)
      await scope.register(formbody)
      addPages(scope)
    },
    { prefix: "/api" },
  )
  const browser = browserOf(await listen(app), "/api/auth")
  await browser.signIn("credentials", typed)
  await browser.get("/api/account")
  expect(JSON.parse(browser.text)).toMatchObject({ name: "ada" })
  expect(app.hasRequestDecorator("getSession")).toBe(false)
})

test("a base path of its own, or the prefix of the plugin, moves the routes", async () => {
  const own = await application({ basePath: "/account/auth/" })
  expect((await own.inject("/account/auth/session")).body).toBe("null")
  const prefixed = await application({ prefix: "/api" })
  expect((await prefixed.inject("/api/auth/session")).body).toBe("null")
})

test("a base path outside of the prefix is an error", async () => {
  const app = Fastify()
  const scope = app.register(async (inner) => inner.register(latchkey, { ...config, basePath: "/login" }), {
    prefix: "/api",
  })
  await expect(scope).rejects.toThrow("isn't below /api")
})

test("paths below the base path that aren't auth routes belong to the application", async () => {
  const app = await application()
  app.setNotFoundHandler((_request, reply) => reply.code(404).send("our page"))
  app.get("/auth/profile", () => "profile")
  expect((await app.inject("/auth/unknown")).body).toBe("our page")
  expect((await app.inject("/auth/profile")).body).toBe("profile")
})

const proxied = { "x-forwarded-proto": "https", "x-forwarded-host": "app.example", "x-forwarded-for": "203.0.113.7" }

test.each([
  [{}, "http:", "localhost"],
  [{ trustProxy: "127.0.0.1" }, "https:", "app.example"],
  [{ trustProxy: "10.0.0.1" }, "http:", "localhost"],
])("with %j, headers of a proxy give %s//%s", async (server, protocol, host) => {
  const app = await application({}, server)
  const response = await app.inject({ url: "/auth/providers", headers: { host: "localhost", ...proxied } })
  const url = new URL(response.json().credentials.signinUrl)
  expect([url.protocol, url.hostname]).toEqual([protocol, host])
})

test("an auth route refuses a request with an invalid host", async () => {
  const app = await application()
  const response = await app.inject({ url: "/auth/providers", headers: { host: "evil.test/x?" } })
  expect([response.statusCode, response.json()]).toEqual([400, "Bad request."])
})

test("one request reads the session once", async () => {
  let reads = 0
  const app = await application({ callbacks: { session: ({ session }) => ({ ...session, reads: ++reads }) } })
  app.get("/twice", async (request) => [await request.getSession(), await request.getSession()])
  const browser = browserOf(await listen(app))
  await browser.post("/sign-in", { ...typed, redirectTo: "/twice" })
  expect(reads).toBe(1)
})

test("a hook that runs before the plugin gets an error that says what to do", async () => {
  const app = Fastify()
  app.addHook("onRequest", async (request) => void (await request.getSession()))
  await app.register(latchkey, config)
  app.get("/", () => "")
  expect((await app.inject("/")).json().message).toContain("Register @latchkey/fastify before")
})

test("routes read and change the account of the user", async () => {
  const app = Fastify()
  await app.register(latchkey, await twoSessions())
  await app.register(formbody)
  app.get("/sessions", async ({ authAccount }) => String((await authAccount.sessions()).length))
  app.post("/others", async ({ authAccount }) => String(await authAccount.revokeOtherSessions()))
  await expectAccount(await listen(app), send)
})

test("the server ends every session of a user without a request", async () => {
  const app = Fastify()
  const options = await twoSessions()
  await app.register(latchkey, options)
  await app.authRevoke("1", "stolen laptop")
  expect(options.adapter.rows().sessions).toEqual([])
})

test("the server disables, enables and exports a user without a request", async () => {
  const app = Fastify()
  const options = await twoSessions()
  const { records } = options.adapter
  await app.register(latchkey, { ...options, records })
  await app.authDisable("1", "fraud")
  expect(await app.authExport("1")).toMatchObject({ user: { id: "1" }, sessions: [], disabled: { reason: "fraud" } })
  await app.authEnable("1")
  expect((await app.authExport("1")).disabled).toBeNull()
})

test("the server calls a function of a module without a request", async () => {
  const app = Fastify()
  await app.register(latchkey, counting())
  const { counter } = app.authModules as { readonly counter: Counter }
  expect(await counter.add("visits")).toBe(1)
})
