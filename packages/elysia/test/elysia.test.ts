import { node } from "@elysiajs/node"
import { latchkey, type LatchkeyConfig } from "@latchkey/elysia"
import credentials from "@latchkey/elysia/providers/credentials"
import { type Browser, openBrowser } from "@latchkey/testing"
import { type AnyElysia, Elysia } from "elysia"
import { describe, expect, onTestFinished, test } from "vitest"
import { send } from "../../fastify/test/http.js"
import { counting } from "../../../tests/counter.js"
import { expectToken } from "../../../tests/csrf-token.js"
import { cookieOf, expectAccount, twoSessions } from "../../../tests/two-sessions.js"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"
const typed = { name: "ada", password: "open sesame" }

const config = {
  secret,
  trustHost: true,
  providers: [
    credentials({
      credentials: { name: {}, password: {} },
      authorize: ({ name, password }) => (password === "open sesame" ? { id: String(name), name: String(name) } : null),
    }),
  ],
  callbacks: {
    jwt: ({ token, trigger, session }) =>
      trigger === "update" ? { ...token, name: String(session.user.name) } : token,
  },
} satisfies LatchkeyConfig

/** An application that uses the plugin. Its handlers get parsed forms. */
function application(options: Partial<LatchkeyConfig> = {}, elysia: ConstructorParameters<typeof Elysia>[0] = {}) {
  const auth = latchkey({ ...config, ...options })
  const session = new Elysia().use(auth).get("/", async ({ auth }) => (await auth.getSession())?.user ?? "signed out")
  return new Elysia(elysia)
    .use(auth)
    .use(session)
    .get("/account", ({ session }) => session.user, { requireSession: true })
    .post("/sign-in", ({ auth, body }) => auth.signIn("credentials", { redirectTo: "/", ...fieldsOf(body) }))
    .post("/try", async ({ auth, body }) => {
      const { error } = await auth.signIn("credentials", { ...fieldsOf(body), redirect: false })
      return { refused: error?.name ?? null }
    })
    .post("/sign-out", ({ auth }) => auth.signOut({ redirectTo: "/" }))
    .get("/token", ({ auth }) => auth.csrfToken())
    .post("/rename", ({ auth, body }) => auth.update({ user: { name: String(fieldsOf(body)["name"]) } }))
    .get("/jar", async ({ auth, cookie: { theme, size } }) => {
      await auth.session()
      theme?.set({ value: "dark" })
      size?.set({ value: "large" })
      return "jar"
    })
    .get("/own", async ({ auth, set }) => {
      await auth.session()
      set.headers["cache-control"] = "public"
      return new Response("own", { headers: { "cache-control": "public, max-age=60", "set-cookie": "own=1" } })
    })
    .get("/fails", async ({ auth }) => {
      await auth.session()
      throw new Error("failed")
    })
}

function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return { ...(typeof body === "object" ? body : {}) }
}

/** The adapter for Node passes this to the callback of `listen`. */
interface NodeServer {
  readonly raw: { ready(): Promise<unknown>; close(force: boolean): Promise<void>; readonly url: string }
}

/** Starts a server with the adapter for Node. */
async function listen(app: AnyElysia): Promise<Browser> {
  const server = await new Promise<unknown>((resolve) => {
    app.listen({ port: 0, hostname: "127.0.0.1" }, resolve)
  })
  const { raw } = server as NodeServer
  await raw.ready()
  onTestFinished(() => raw.close(true))
  return openBrowser({ origin: new URL(raw.url).origin, handle: send })
}

const ways = {
  "web-standard": async (options?: Partial<LatchkeyConfig>) => {
    const app = application(options)
    return openBrowser({ origin: "https://app.test", handle: (request) => app.handle(request) })
  },
  Node: async (options?: Partial<LatchkeyConfig>) => listen(application(options, { adapter: node() })),
}

describe.each(Object.entries(ways))("with the %s adapter", (name, visit) => {
  const prefix = name === "Node" ? "" : "__Secure-"
  const token = `${prefix}authjs.session-token`

  test("forms of the application sign in, rename and sign out", async () => {
    const browser = await visit()
    await browser.post("/sign-in", typed)
    expect(JSON.parse(browser.text)).toMatchObject({ name: "ada" })
    await browser.post("/rename", { name: "Countess" })
    await browser.get("/account")
    expect(JSON.parse(browser.text)).toMatchObject({ name: "Countess" })
    await browser.post("/sign-out")
    expect(browser.text).toBe("signed out")
  })

  test("the built-in page signs in and out", async () => {
    const browser = await visit()
    await browser.signIn("credentials", typed)
    expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
    await browser.signOut()
    expect(await browser.session()).toBeNull()
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
  })

  test("without a session, a page leads to the sign-in page, and an API responds with 401", async () => {
    const browser = await visit()
    await browser.get("/account?tab=1")
    expect(browser.location).toBe(`${browser.origin}/auth/signin?callbackUrl=%2Faccount%3Ftab%3D1`)
    const response = await browser.fetch("/account")
    expect([response.status, await response.json()]).toEqual([401, { message: "You need to sign in." }])
  })

  test.each([
    ["the cookie jar", "/jar", ["theme", "size"]],
    ["a response of its own", "/own", ["own"]],
    ["an error", "/fails", []],
  ])("cookies of %s and of the session arrive together, and no cache stores them", async (_, path, names) => {
    const browser = await visit({ session: { updateAge: 0 } })
    await browser.post("/sign-in", typed)
    await browser.get(path)
    const set = browser.response.headers.getSetCookie().map((line) => line.split("=", 1)[0])
    expect(set.toSorted()).toEqual([...names, token].toSorted())
    expect(browser.response.headers.get("cache-control")).toBe("private, no-store")
  })

  test("another base path moves the routes", async () => {
    const browser = await visit({ basePath: "/api/auth" })
    await browser.get("/api/auth/session")
    expect(browser.text).toBe("null")
    await browser.get("/auth/session")
    expect(browser.response.status).toBe(404)
  })
})

test("paths below the base path that aren't auth routes belong to the application", async () => {
  const app = application().get("/auth/profile", () => "profile")
  expect(await (await app.handle(new Request("https://app.test/auth/profile"))).text()).toBe("profile")
})

test("headers that the application sets on every response are on the auth routes, with all cookies", async () => {
  const headers = new Elysia().onRequest(({ set }) => {
    set.headers["x-own"] = "1"
  })
  const app = new Elysia({ adapter: node() }).use(headers).use(latchkey(config))
  const browser = await listen(app)
  await browser.signIn("credentials", typed)
  expect(browser.trail[0]?.headers.get("x-own")).toBe("1")
  expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
})

test("modules with a prefix can use the plugin, too", async () => {
  const auth = latchkey(config)
  const api = new Elysia({ prefix: "/api" })
    .use(auth)
    .get("/account", ({ session }) => session.user, { requireSession: true })
  const app = new Elysia().use(auth).use(api)
  const browser = openBrowser({ origin: "https://app.test", handle: (request) => app.handle(request) })
  await browser.signIn("credentials", typed)
  await browser.get("/api/account")
  expect(JSON.parse(browser.text)).toMatchObject({ name: "ada" })
})

test("one request reads the session once", async () => {
  let reads = 0
  const app = application({ callbacks: { session: ({ session }) => ({ ...session, reads: ++reads }) } }).get(
    "/twice",
    async ({ auth, session }) => [session, await auth.session()],
    { requireSession: true },
  )
  const browser = openBrowser({ origin: "https://app.test", handle: (request) => app.handle(request) })
  await browser.post("/sign-in", { ...typed, redirectTo: "/twice" })
  expect(reads).toBe(1)
})

test("the configuration can depend on the request", async () => {
  const app = new Elysia().use(
    latchkey(({ request }) => ({ ...config, basePath: new URL(request.url).hostname.startsWith("a.") ? "/a" : "/b" })),
  )
  expect((await app.handle(new Request("https://a.test/a/session"))).status).toBe(200)
  expect((await app.handle(new Request("https://b.test/a/session"))).status).toBe(404)
})

test("an application that isn't compiled gets an error, because it would lose cookies", async () => {
  const app = new Elysia({ aot: false }).use(latchkey(config))
  const response = await app.handle(new Request("https://app.test/auth/session"))
  expect([response.status, await response.text()]).toEqual([500, expect.stringContaining("aot")])
})

test("routes read and change the account of the user", async () => {
  const app = new Elysia()
    .use(latchkey(await twoSessions()))
    .get("/sessions", async ({ auth }) => String((await auth.account.sessions()).length))
    .post("/others", async ({ auth }) => String(await auth.account.revokeOtherSessions()))
  await expectAccount("https://app.test", (request) => app.handle(request))
})

test("a route ends every session of a user", async () => {
  const options = await twoSessions()
  const app = new Elysia().use(latchkey(options)).post("/revoke", async ({ auth }) => {
    await auth.revoke("1", "stolen laptop")
    return auth.session()
  })
  const request = new Request("https://app.test/revoke", {
    method: "POST",
    headers: { cookie: cookieOf("https://app.test") },
  })
  expect(await (await app.handle(request)).text()).toBe("")
  expect(options.adapter.rows().sessions).toEqual([])
})

test("a route calls a function of a module", async () => {
  const app = new Elysia().use(latchkey(counting())).get("/", ({ auth }) => auth.counter.add("visits"))
  expect(await (await app.handle(new Request("https://app.test/"))).text()).toBe("1")
})

test("a route calls a function of a module with a configuration function that takes the request", async () => {
  const { modules, ...config } = counting()
  const plugin = latchkey((_event: { readonly request: Request }) => config, { modules })
  const app = new Elysia().use(plugin).get("/", ({ auth }) => auth.counter.add("visits"))
  expect(await (await app.handle(new Request("https://app.test/"))).text()).toBe("1")
})
