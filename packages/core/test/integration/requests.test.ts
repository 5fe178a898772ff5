import { createIntegration, type Framework, type Integration, withCookies } from "@latchkey/core/integration"
import credentials from "@latchkey/core/providers/credentials"
import type { AuthConfig, Session } from "@latchkey/core/types"
import { AdapterError } from "@latchkey/core/errors"
import { captureLog, openBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"

const password = credentials({
  credentials: { name: {}, password: {} },
  authorize: ({ name, password }) => (password === "open sesame" ? { id: String(name), name: String(name) } : null),
})

const typed = { name: "ada", password: "open sesame" }

type Auth = Integration<Request, Session>
type Route = (auth: Auth, request: Request) => unknown
/** The test adds providers and a logger. */
type Config = Partial<AuthConfig>

/** An application whose routes respond with JSON, or with a `Response` of their own. */
function application(routes: Readonly<Record<string, Route>>, options: Options = {}) {
  const { config = {}, env = {}, origin = "https://app.test" } = options
  const log = captureLog()
  const framework: Framework<Request> = {
    basePath: "/auth",
    env: () => ({ AUTH_SECRET: secret, AUTH_TRUST_HOST: "true", ...env }),
    read: (request) => ({ method: request.method, url: new URL(request.url), headers: request.headers }),
    toRequest: (request) => request,
    ...(options.setCookies && { setCookies: options.setCookies }),
    acceptsForms: options.acceptsForms === true,
    hasFixedPath: options.hasFixedPath === true,
  }
  const given = typeof config === "function" ? config : { providers: [password], logger: log.logger, ...config }
  const auth = createIntegration<Request>(given, framework)
  const all: Record<string, Route> = {
    "/in": async (_, request) => auth.signIn(request, "credentials", typed),
    "/who": async (_, request) => (await auth.session(request))?.user?.name ?? null,
    ...routes,
  }
  const handle = async (request: Request) => {
    const route = all[new URL(request.url).pathname]
    const answer = (await auth.handle(request)) ?? (await route?.(auth, request)) ?? null
    return auth.finish(request, answer instanceof Response ? answer : Response.json(answer))
  }
  return { browser: openBrowser({ origin, handle }), auth, log }
}

interface Options {
  readonly config?: Config | (() => AuthConfig)
  readonly env?: Readonly<Record<string, string>>
  readonly origin?: string
  readonly hasFixedPath?: boolean
  readonly setCookies?: NonNullable<Framework<Request>["setCookies"]>
  readonly acceptsForms?: boolean
}

/** Every read renews the session. */
const renewing: Config = { session: { updateAge: 0 } }

const page = { headers: { accept: "text/html", "sec-fetch-mode": "navigate" } }

async function protectedPage(options: Options, path = "/account"): Promise<Response> {
  const { auth } = application({}, options)
  const access = await auth.requireSession(new Request(`http://internal:3000${path}`, page))
  return "response" in access ? access.response : Response.json(access.session)
}

describe("several calls for one request", () => {
  test("concurrent reads ask the callbacks once", async () => {
    let reads = 0
    const config: Config = {
      callbacks: { session: ({ session }) => (reads++, session) },
    }
    const twice: Route = (auth, request) => Promise.all([auth.session(request), auth.session(request)])
    const { browser } = application({ "/twice": twice }, { config })
    await browser.post("/in")
    await browser.get("/twice")
    expect(JSON.parse(browser.text)).toMatchObject([{ user: { name: "ada" } }, { user: { name: "ada" } }])
    expect(reads).toBe(1)
  })

  test("a configuration function is called once", async () => {
    let calls = 0
    const config = () => (calls++, { providers: [password] })
    const { browser } = application({}, { config })
    await browser.get("/who")
    expect(calls).toBe(1)
  })

  test("a read that began before the sign-out doesn't renew the session", async () => {
    let finishReading = () => {}
    const gate = new Promise<void>((resolve) => (finishReading = resolve))
    const out: Route = async (auth, request) => {
      const reading = auth.session(request)
      await auth.signOut(request)
      finishReading()
      return reading
    }
    const slow: Config = { ...renewing, callbacks: { session: async ({ session }) => (await gate, session) } }
    const { browser } = application({ "/out": out }, { config: slow })
    await browser.post("/in")
    await browser.post("/out")
    await browser.get("/who")
    expect(browser.text).toBe("null")
  })

  test("a read before the sign-out route doesn't bring the session back", async () => {
    const { auth, browser } = application({}, { config: renewing })
    await browser.post("/in")
    const handle = async (request: Request) => {
      await auth.session(request)
      return auth.finish(request, (await auth.handle(request)) ?? Response.json(await auth.session(request)))
    }
    const reader = openBrowser({ origin: browser.origin, handle, jar: browser.jar })
    await reader.signOut()
    await reader.get("/")
    expect(reader.text).toBe("null")
  })

  test("after an update, a read has the new session", async () => {
    const config: Config = {
      callbacks: {
        jwt: ({ token, trigger, session }) =>
          trigger === "update" ? { ...token, name: session?.user?.name ?? null } : token,
      },
    }
    const rename: Route = async (auth, request) => {
      await auth.session(request)
      await auth.update(request, { user: { name: "Grace" } })
      return (await auth.session(request))?.user?.name
    }
    const { browser } = application({ "/rename": rename }, { config })
    await browser.post("/in")
    await browser.post("/rename")
    expect(browser.text).toBe('"Grace"')
    await browser.get("/who")
    expect(browser.text).toBe('"Grace"')
  })
})

test.each([
  ["https://evil.test", "MissingCSRF"],
  ["https://app.test", "updated"],
])("a form of %s that updates the session: %s", async (from, outcome) => {
  const rename: Route = (auth, request) =>
    auth.update(request, {}).then(
      () => "updated",
      (error: unknown) => (error instanceof Error ? error.name : "unknown"),
    )
  const { browser } = application({ "/rename": rename })
  await browser.post("/in")
  await browser.post("/rename", {}, { from })
  expect(JSON.parse(browser.text)).toBe(outcome)
})

describe("errors", () => {
  test("an error of the configuration function reaches the application", async () => {
    const failing = () => {
      throw new Error("no tenant")
    }
    const { auth } = application({}, { config: failing })
    const request = new Request("https://app.test/")
    await expect(auth.handle(request)).rejects.toThrow("no tenant")
    await expect(auth.session(request)).rejects.toThrow("no tenant")
  })

  test("an update that a callback refuses is thrown", async () => {
    const config: Config = {
      callbacks: {
        jwt({ token, trigger }) {
          if (trigger === "update") throw new Error("the name is too long")
          return token
        },
      },
    }
    const rename: Route = (auth, request) =>
      auth.update(request, {}).then(
        () => "updated",
        (error: unknown) => (error instanceof Error ? error.name : "unknown"),
      )
    const { browser, log } = application({ "/rename": rename }, { config })
    await browser.post("/in")
    await browser.post("/rename")
    expect(browser.text).toBe('"JWTSessionError"')
    expect(log.entries.map(({ text }) => text).join()).toContain("the name is too long")
  })

  test("if the database fails, a protected route answers 503 instead of sending the user to the sign-in page", async () => {
    const config: Config = {
      callbacks: {
        session() {
          throw new AdapterError(new Error("connection refused"))
        },
      },
    }
    const { browser } = application(
      {
        "/account": async (auth, request) => {
          const access = await auth.requireSession(request)
          return "response" in access ? access.response : access.session
        },
      },
      { config },
    )
    await browser.post("/in")
    await browser.get("/account")
    expect(browser.response.status).toBe(503)
    expect(browser.cookies.map(({ name }) => name)).toContain("__Secure-authjs.session-token")
  })

  test("after the response, a sign-out is an error instead of a cookie that no browser gets", async () => {
    const { auth } = application({})
    const request = new Request("https://app.test/")
    auth.finish(request, new Response())
    await expect(auth.signOut(request)).rejects.toThrow("headers of the response have been sent")
  })
})

describe("the response", () => {
  const renewed = async (response: () => Response, headers: Record<string, string> = {}) => {
    const route: Route = async (auth, request) => (await auth.session(request), response())
    const { browser } = application({ "/page": route }, { config: renewing })
    await browser.post("/in")
    return browser.fetch("/page", { headers })
  }
  const signedIn = async () => {
    const { browser } = application({}, { config: renewing })
    await browser.post("/in")
    return browser.cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
  }
  const cookieOf = (response: Response) => response.headers.getSetCookie().map((line) => line.split("=", 1)[0])

  test.each<[string, () => Response]>([
    ["a redirect", () => Response.redirect("https://elsewhere.test/")],
    ["not modified", () => new Response(null, { status: 304 })],
    ["a stream", () => new Response(new Blob(["a", "b"]).stream())],
    ["cached by the application", () => new Response("page", { headers: { "cache-control": "public, max-age=60" } })],
  ])("%s gets the renewed cookie, and isn't cached", async (_, response) => {
    const { status } = response()
    const finished = await renewed(response)
    expect(finished.status).toBe(status)
    expect(cookieOf(finished)).toEqual(["__Secure-authjs.session-token"])
    expect(finished.headers.get("cache-control")).toBe("private, no-store")
  })

  test("a stream stays a stream", async () => {
    const body = new Blob(["first", "second"]).stream()
    const response = withCookies(new Response(body), [{ name: "a", value: "1", options: {} }])
    expect(response.body).toBe(body)
  })

  test("cookies of the application stay", async () => {
    const headers = new Headers({ "set-cookie": "theme=dark" })
    headers.append("set-cookie", "lang=en; Path=/")
    const finished = await renewed(() => new Response("page", { headers }))
    expect(finished.headers.getSetCookie().slice(0, 2)).toEqual(["theme=dark", "lang=en; Path=/"])
  })

  test("a framework that sets cookies itself gets no second copy, and the response isn't cached", async () => {
    const set: string[] = []
    const { auth } = application(
      {},
      { config: renewing, setCookies: (_, cookies) => set.push(...cookies.map(({ name }) => name)) },
    )
    const cookie = await signedIn()
    const request = new Request("https://app.test/", { headers: { cookie } })
    await auth.session(request)
    const response = auth.finish(request, new Response("page", { headers: { "cache-control": "public, max-age=60" } }))
    expect(set).toEqual(["__Secure-authjs.session-token"])
    expect(response.headers.getSetCookie()).toEqual([])
    expect(response.headers.get("cache-control")).toBe("private, no-store")
  })

  test("a request for a WebSocket doesn't renew the session", async () => {
    expect(cookieOf(await renewed(() => new Response("page"), { upgrade: "WebSocket" }))).toEqual([])
  })

  test("a network error stays as it is", () => {
    const response = Response.error()
    expect(withCookies(response, [{ name: "a", value: "1", options: {} }])).toBe(response)
  })

  test("a read after the response renews nothing", async () => {
    const { auth } = application({}, { config: renewing })
    const cookie = await signedIn()
    const request = new Request("https://app.test/", { headers: { cookie } })
    auth.finish(request, new Response())
    expect(await auth.session(request)).toMatchObject({ user: { name: "ada" } })
    expect(auth.finish(request, new Response()).headers.getSetCookie()).toEqual([])
  })
})

describe("the base path", () => {
  test.each<[string, Options, string]>([
    ["the framework's", {}, "/auth/session"],
    ["the configuration's, with slashes at both ends", { config: { basePath: "/api//auth/" } }, "/api/auth/session"],
    ["the configuration's, without a slash", { config: { basePath: "sign" } }, "/sign/session"],
    ["the path of AUTH_URL", { env: { AUTH_URL: "https://app.test/app/auth/" } }, "/app/auth/session"],
    ["the root", { config: { basePath: "/" } }, "/session"],
    [
      "the framework's, if the path of AUTH_URL doesn't count",
      { hasFixedPath: true, env: { AUTH_URL: "https://app.test/app/auth/" } },
      "/auth/session",
    ],
    [
      "the configuration's, if the path of AUTH_URL doesn't count",
      { hasFixedPath: true, env: { AUTH_URL: "https://app.test/app" }, config: { basePath: "/sign" } },
      "/sign/session",
    ],
    ["with a slash after the route", {}, "/auth/session/"],
  ])("%s", async (_, options, path) => {
    const { auth } = application({}, options)
    const response = await auth.handle(new Request(`https://app.test${path}`))
    expect(await response?.json()).toBe(null)
  })

  test.each(["/authors", "/auth", "/auth/", "/auth/unknown", "/other/auth/session", "//auth/session"])(
    "%s is a path of the application",
    async (path) => {
      const { auth } = application({})
      expect(await auth.handle(new Request(`https://app.test${path}`))).toBeUndefined()
    },
  )
})

test("a router that sends only requests below the base path gets an answer for each of them", async () => {
  const framework: Framework<Request> = {
    basePath: "/auth",
    env: () => ({ AUTH_SECRET: secret, AUTH_TRUST_HOST: "true" }),
    read: (request) => ({ method: request.method, url: new URL(request.url), headers: request.headers }),
    toRequest: (request) => request,
    isMounted: () => true,
  }
  const auth = createIntegration<Request>({ providers: [password], logger: captureLog().logger }, framework)
  expect((await auth.handle(new Request("https://app.test/auth/unknown")))?.status).toBe(404)
})

describe("a protected page leads to", () => {
  test.each<[string, Options, string]>([
    ["the built-in sign-in page", {}, "/auth/signin?callbackUrl=%2Faccount"],
    [
      "the one below the path of AUTH_URL",
      { env: { AUTH_URL: "https://app.test/app/auth" } },
      "/app/auth/signin?callbackUrl=%2Faccount",
    ],
    ["the application's", { config: { pages: { signIn: "/login" } } }, "/login?callbackUrl=%2Faccount"],
    [
      "the application's, with a query and a fragment",
      { config: { pages: { signIn: "/login?lang=en#form" } } },
      "/login?lang=en&callbackUrl=%2Faccount#form",
    ],
    [
      "one on another site, with the public URL as the way back",
      { config: { pages: { signIn: "https://id.test/login" } }, env: { AUTH_URL: "https://app.test" } },
      "https://id.test/login?callbackUrl=https%3A%2F%2Fapp.test%2Faccount",
    ],
    [
      "one on this site with its full URL",
      { config: { pages: { signIn: "https://app.test/login" } }, env: { AUTH_URL: "https://app.test" } },
      "https://app.test/login?callbackUrl=%2Faccount",
    ],
  ])("%s", async (_, options, location) => {
    const response = await protectedPage(options)
    expect(response.status).toBe(303)
    expect(response.headers.get("location")).toBe(location)
  })

  test("the public URL that a trusted proxy names, if the sign-in page is on another site", async () => {
    const { auth } = application({}, { config: { pages: { signIn: "https://id.test/" } } })
    const headers = { ...page.headers, "x-forwarded-host": "app.test", "x-forwarded-proto": "https" }
    const access = await auth.requireSession(new Request("http://internal:3000/account", { headers }))
    expect(access).toMatchObject({ to: "https://id.test/?callbackUrl=https%3A%2F%2Fapp.test%2Faccount" })
    expect(access).toHaveProperty("url", "https://id.test/?callbackUrl=https%3A%2F%2Fapp.test%2Faccount")
  })

  test("a path, and the full URL that a proxy hides", async () => {
    const { auth } = application({}, { env: { AUTH_URL: "https://app.test" } })
    const access = await auth.requireSession(new Request("http://internal:3000/account", page))
    expect(access).toMatchObject({
      to: "/auth/signin?callbackUrl=%2Faccount",
      url: "https://app.test/auth/signin?callbackUrl=%2Faccount",
    })
  })

  test.each(["/login", "/login/", "/login?callbackUrl=%2Flogin"])("no other page from %s itself", async (path) => {
    const response = await protectedPage({ config: { pages: { signIn: "/login" } } }, path)
    expect(response.status).toBe(401)
    expect(response.headers.get("location")).toBeNull()
  })
})

describe("middleware that protects every route", () => {
  const config: Config = { pages: { signIn: "/login", error: "/oops" } }
  const statusOf = async (path: string) => {
    const { auth } = application({}, { config })
    return (await auth.protect(new Request(`https://app.test${path}`, page)))?.status
  }

  test.each(["/login", "/login/?error=CredentialsSignin", "/oops", "/auth/signin", "/auth/callback/github"])(
    "lets a user without a session open %s",
    async (path) => {
      expect(await statusOf(path)).toBeUndefined()
    },
  )

  test.each(["/", "/loginx", "/auth", "/auth/admin"])("redirects from %s", async (path) => {
    expect(await statusOf(path)).toBe(303)
  })

  test("lets a user with a session open every page", async () => {
    const guarded: Route = async (auth, request) => (await auth.protect(request)) ?? "open"
    const { browser } = application({ "/guard": guarded })
    await browser.post("/in")
    await browser.get("/guard")
    expect(browser.text).toBe('"open"')
  })
})

test("the client of a framework that accepts forms needs no token, which isn't an error", async () => {
  const { browser, log } = application({}, { acceptsForms: true })
  const response = await browser.fetch("/auth/csrf")
  expect(await response.json()).toEqual({ csrfToken: "" })
  expect(log.entries).toEqual([])
})
