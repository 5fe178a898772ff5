import { inspect } from "node:util"
import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { AuthError, MissingSecret } from "@latchkey/core/errors"
import {
  atBuild,
  createIntegration,
  currentFunctions,
  eventFunctions,
  eventFunctionsBy,
  type Framework,
  showing,
} from "@latchkey/core/integration"
import credentials from "@latchkey/core/providers/credentials"
import email from "@latchkey/core/providers/email"
import { openBrowser } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { cookieOf, expectAccount, twoSessions } from "../../../../tests/two-sessions.js"

const framework: Framework<Request> = {
  basePath: "/auth",
  env: () => ({ AUTH_SECRET: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw", AUTH_TRUST_HOST: "true" }),
  read: (request) => ({ method: request.method, url: new URL(request.url), headers: request.headers }),
  toRequest: (request) => request,
}

const password = credentials({
  credentials: { name: {}, password: {} },
  authorize: ({ name, password }) => (password === "open sesame" ? { id: String(name), name: String(name) } : null),
})

/** An application that signs in and out with its own forms. */
function application() {
  const auth = createIntegration({ providers: [password] }, framework)
  const redirect = ({ to }: { readonly to: string }) => new Response(null, { status: 303, headers: { location: to } })
  const routes: Record<string, (request: Request) => Promise<Response>> = {
    "/": async (request) => Response.json((await auth.session(request))?.user?.name ?? null),
    "/account": async (request) => {
      const { session, ...access } = await auth.requireSession(request)
      return session === null && "response" in access ? access.response : Response.json(session?.user?.name)
    },
    "/sign-in": async (request) => {
      const form = await request.formData()
      return redirect(await auth.signIn(request, "credentials", Object.fromEntries(form)))
    },
    "/sign-out": async (request) => redirect(await auth.signOut(request, { redirectTo: "/" })),
    "/both": async (request) => {
      await auth.signIn(request, "credentials", { name: "ada", password: "open sesame" })
      return Response.json((await auth.session(request))?.user?.name ?? null)
    },
  }
  const handle = async (request: Request) => {
    const own = routes[new URL(request.url).pathname]
    const response = (await auth.handle(request)) ?? (await own?.(request)) ?? new Response(null, { status: 404 })
    return auth.finish(request, response)
  }
  return openBrowser({ origin: "https://app.test", handle })
}

const typed = { name: "ada", password: "open sesame" }

test("`authorize` gets the fields of the form, and not how the package answers", async () => {
  const given: unknown[] = []
  const provider = credentials({ credentials: { name: {} }, authorize: (fields) => (given.push(fields), null) })
  const auth = createIntegration({ providers: [provider] }, framework)
  const options = { name: "ada", redirect: false, redirectTo: "/account" }
  await auth.signIn(new Request("https://app.test/sign-in", { method: "POST" }), "credentials", options)
  expect(given).toEqual([{ name: "ada", callbackUrl: "/account" }])
})

test("a form of the application signs in and out", async () => {
  const browser = application()
  await browser.post("/sign-in", { ...typed, redirectTo: "/account" })
  expect(browser.text).toBe('"ada"')
  await browser.post("/sign-out")
  expect(browser.text).toBe("null")
})

test("a form of another site doesn't sign in", async () => {
  const browser = application()
  await browser.post("/sign-in", typed, { from: "https://evil.test" })
  expect(await browser.session()).toBeNull()
})

test("a wrong password leads to the page that explains it, and the way back is kept", async () => {
  const browser = application()
  await browser.post("/sign-in", { ...typed, password: "wrong", redirectTo: "/account" })
  const page = new URL(browser.location)
  expect(page.pathname).toBe("/auth/signin")
  expect(page.searchParams.get("error")).toBe("CredentialsSignin")
  // A page of the application that replaces the built-in one has no cookie of it.
  expect(page.searchParams.get("callbackUrl")).toBe("/account")
  await browser.submitForm("credentials", typed)
  expect(browser.location).toBe("https://app.test/account")
})

test("a page without a session leads to the sign-in page, with the way back", async () => {
  const browser = application()
  await browser.get("/account?tab=1")
  expect(browser.location).toBe("https://app.test/auth/signin?callbackUrl=%2Faccount%3Ftab%3D1")
})

test("a client of an API gets 401", async () => {
  const response = await application().fetch("/account", { headers: { accept: "application/json" } })
  expect(response.status).toBe(401)
})

test("a framework says itself which of its requests are for pages", async () => {
  const read = (request: Request) => ({ ...framework.read(request), opensPage: true })
  const auth = createIntegration({ providers: [password] }, { ...framework, read })
  const access = await auth.requireSession(new Request("https://app.test/account", { method: "POST" }))
  expect(access).toMatchObject({ session: null, to: "/auth/signin?callbackUrl=%2Faccount" })
})

test("once the headers are sent, the session can't change", async () => {
  const auth = createIntegration({ providers: [password] }, { ...framework, isSent: () => true })
  const request = new Request("https://app.test/sign-in", { method: "POST" })
  await expect(auth.signIn(request, "credentials", typed)).rejects.toThrow("headers of the response have been sent")
  await expect(auth.signOut(request)).rejects.toThrow("headers of the response have been sent")
  await expect(auth.update(request, {})).rejects.toThrow("headers of the response have been sent")
  expect(await auth.session(request)).toBeNull()
})

test("a framework says what to do if no cookie can be set, unless the response is finished", async () => {
  const sentMessage = "Add the middleware before the route"
  const auth = createIntegration({ providers: [password] }, { ...framework, sentMessage, isSent: () => true })
  const request = new Request("https://app.test/sign-in", { method: "POST" })
  await expect(auth.signIn(request, "credentials", typed)).rejects.toThrow(sentMessage)
  await expect(auth.csrfToken(request)).rejects.toThrow(sentMessage)
  auth.finish(request, new Response())
  await expect(auth.update(request, {})).rejects.toThrow("headers of the response have been sent")
})

test("`redirect: false` returns where to send the user, and everything else a redirect", async () => {
  const { signIn, signOut } = eventFunctions(createIntegration({ providers: [password] }, framework))
  const post = () => new Request("https://app.test/sign-in", { method: "POST" })
  const to = "https://app.test/account"
  const options = { ...typed, redirectTo: "/account" }
  expect(await signIn(post(), "credentials", { ...options, redirect: false })).toEqual({ to })
  const refused = await signIn(post(), "credentials", { ...options, password: "wrong", redirect: false })
  expect(refused).toMatchObject({ error: { type: "CredentialsSignin" } })
  const response = await signIn(post(), "credentials", options)
  expect([response.status, response.headers.get("location")]).toEqual([303, to])
  expect(await signOut(post(), { redirectTo: "/", redirect: false })).toEqual({ to: "https://app.test/" })
  expect((await signOut(post(), { redirectTo: "/" })).status).toBe(303)
})

test("a package passes its own argument, or none, instead of the event", async () => {
  const auth = eventFunctions(createIntegration({ providers: [password] }, framework), ({ to }) => to)
  const request = new Request("https://app.test/sign-in", { method: "POST" })
  const asked: string[] = []
  const current = currentFunctions(auth, (name) => (asked.push(name), request))
  const given = eventFunctionsBy(auth, ({ request }: { readonly request: Request }) => request)
  expect(await current.signIn("credentials", { ...typed, redirectTo: "/account" })).toBe("https://app.test/account")
  expect((await given.getSession({ request }))?.user?.name).toBe("ada")
  expect((await current.update({}))?.user?.name).toBe("ada")
  expect(await given.signOut({ request }, { redirectTo: "/" })).toBe("https://app.test/")
  expect(await current.getSession()).toBeNull()
  await expect(given.account({ request }).sessions()).rejects.toThrow(AuthError)
  expect(asked).toEqual(["signIn", "update", "getSession"])
})

test("a page that a build makes has no visitor, and nothing needs a secret", async () => {
  const config = () => {
    throw new Error("A build has no configuration")
  }
  const facts = { isBuild: () => true, advice: () => "Render it for each request." }
  const integration = createIntegration(config, framework)
  const auth = atBuild(integration, facts)
  const request = new Request("https://app.test/auth/session")
  expect(await auth.handle(request)).toBeUndefined()
  expect(await auth.session(request)).toBeNull()
  await expect(auth.requireSession(request)).rejects.toThrow(
    "A prerendered page has no session. Render it for each request.",
  )
  await expect(auth.csrfToken(request)).rejects.toThrow(
    "A prerendered page has no CSRF token. Render it for each request.",
  )
  expect(await atBuild(integration, { ...facts, acceptsForms: true }).csrfToken(request)).toBe("")
  await expect(atBuild(integration, { ...facts, isBuild: () => false }).session(request)).rejects.toThrow(
    "configuration",
  )
})

test("an empty field names no provider, and leads to the sign-in page", async () => {
  const auth = createIntegration({ providers: [password] }, framework)
  const request = new Request("https://app.test/sign-in", { method: "POST" })
  const { to, error } = await auth.signIn(request, "", { redirectTo: "/account" })
  expect([new URL(to).pathname, error]).toEqual(["/auth/signin", undefined])
})

test.each([
  { params: "prompt=login" },
  { params: new URLSearchParams("prompt=login") },
  { params: [["prompt", "login"]] },
  { params: { prompt: "login" } },
])("parameters of an authorization request can be $params", async ({ params }) => {
  const issuer = "https://op.test"
  const op = { id: "op", name: "Acme", type: "oauth", clientId: "id", clientSecret: "secret", issuer } as const
  const endpoints = { authorization: `${issuer}/authorize`, token: `${issuer}/token`, userinfo: `${issuer}/me` }
  const auth = createIntegration({ providers: [{ ...op, ...endpoints }] }, framework)
  const request = new Request("https://app.test/sign-in", { method: "POST" })
  const { to } = await auth.signIn(request, "op", {}, params)
  expect(new URL(to).searchParams.get("prompt")).toBe("login")
})

test("a framework that makes the response prevents caching again when the application is done", async () => {
  const headers = new Headers()
  const auth = createIntegration(
    { providers: [password] },
    {
      ...framework,
      setCookies: (_, [cookie]) => headers.set("set-cookie", cookie?.name ?? ""),
      preventCaching: () => headers.set("cache-control", "no-store"),
    },
  )
  const [first, second] = [1, 2].map(() => new Request("https://app.test/sign-in", { method: "POST" })) as [
    Request,
    Request,
  ]
  auth.finish(first)
  expect(headers.has("cache-control")).toBe(false)
  await auth.signIn(second, "credentials", typed)
  headers.set("cache-control", "public")
  auth.finish(second)
  expect(headers.get("cache-control")).toBe("no-store")
  await expect(auth.update(second, {})).rejects.toThrow("headers of the response have been sent")
})

test("a framework gets the session that each change has left", async () => {
  const shown: unknown[] = []
  const auth = showing(createIntegration({ providers: [password] }, framework), (_, session) => {
    shown.push(session?.user?.name ?? null)
  })
  const request = new Request("https://app.test/sign-in", { method: "POST" })
  await auth.signIn(request, "credentials", { ...typed, password: "wrong" })
  await auth.signIn(request, "credentials", typed)
  await auth.update(request, {})
  await auth
    .account(request)
    .revokeSessions()
    .catch(() => undefined)
  await auth.signOut(request)
  expect(shown).toEqual([null, "ada", "ada", "ada", null])
})

test("while the database fails, each function says so in its own way", async () => {
  const config = await twoSessions()
  const down = Object.fromEntries(
    Object.keys(config.adapter).map((name) => [name, () => Promise.reject(new Error(name))]),
  )
  const adapter = { ...config.adapter, ...down }
  const auth = createIntegration({ ...config, adapter, providers: [password] }, framework)
  const headers = { cookie: cookieOf("https://app.test") }
  const request = () => new Request("https://app.test/page", { method: "POST", headers })
  expect(await auth.session(request())).toBeNull()
  expect(await auth.requireSession(request())).toMatchObject({ session: null, response: { status: 503 } })
  const { to, error } = await auth.signIn(request(), "credentials", typed)
  expect([new URL(to, "https://app.test").pathname, error?.type]).toEqual(["/auth/error", "AdapterError"])
  await expect(auth.update(request(), {})).rejects.toBeInstanceOf(AuthError)
  expect(await auth.csrfToken(request())).toMatch(/^[0-9a-f]{64}$/)
})

test("after a sign-in, the same request has the session", async () => {
  const browser = application()
  await browser.get("/both")
  expect(browser.text).toBe('"ada"')
})

test("a response that sets a session is kept out of shared caches", async () => {
  const browser = application()
  await browser.post("/sign-in", typed)
  expect(browser.trail[0]?.headers.get("cache-control")).toBe("private, no-store")
})

test.each([
  { environment: "production", details: false },
  { environment: "development", details: true },
] as const)(
  "in $environment, an error that a framework may show has details: $details",
  async ({ environment, details }) => {
    const withoutSecret = { ...framework, env: () => ({ AUTH_TRUST_HOST: "true" }) }
    const auth = createIntegration({ environment, providers: [password], logger: { error() {} } }, withoutSecret)
    const request = new Request("https://app.test/")
    const thrown: unknown = await auth.session(request).catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(MissingSecret)
    expect(/AUTH_SECRET/.test(inspect(thrown, { depth: 9 }))).toBe(details)
    const refused: unknown = await auth.signIn(request, "credentials").catch((error: unknown) => error)
    expect(/AUTH_SECRET/.test(String(refused))).toBe(details)
  },
)

describe("if the framework has checked who sent a form", () => {
  const trusting = { ...framework, forwardsForms: false }
  const quiet = { providers: [password], environment: "production", logger: { error() {}, warn() {} } } as const
  const post = () =>
    new Request("https://app.test/sign-in", { method: "POST", headers: { origin: "https://evil.test" } })

  test("`signIn` throws a refusal, and doesn't look at the sender", async () => {
    const auth = createIntegration(quiet, trusting)
    const refused = auth.signIn(post(), "credentials", { ...typed, password: "wrong", redirectTo: "/account" })
    await expect(refused).rejects.toMatchObject({ type: "CredentialsSignin", code: "credentials" })
    const { to } = await auth.signIn(post(), "credentials", { ...typed, redirectTo: "/account" })
    expect(to).toBe("https://app.test/account")
  })

  test("the page of an error has only the error, as in Auth.js", async () => {
    const failing = email({
      from: "latchkey@app.test",
      sendVerificationRequest: () => Promise.reject(new Error("down")),
    })
    const adapter = memoryAdapter()
    const options = { email: "ada@app.test", redirectTo: "/account" }
    const pageOf = async (own: Framework<Request>) => {
      const request = new Request("https://app.test/sign-in", { method: "POST" })
      const { to } = await createIntegration({ ...quiet, adapter, providers: [failing] }, own).signIn(
        request,
        "email",
        options,
      )
      return [...new URL(to).searchParams.keys()]
    }
    expect(await pageOf(trusting)).toEqual(["error"])
    expect(await pageOf(framework)).toEqual(["error", "callbackUrl"])
  })

  test("errors keep their details in production", async () => {
    const auth = createIntegration(quiet, { ...trusting, env: () => ({ AUTH_TRUST_HOST: "true" }) })
    await expect(auth.signIn(post(), "credentials", typed)).rejects.toThrow("AUTH_SECRET")
  })

  test("`update` has no session if reading it fails", async () => {
    const { adapter } = await twoSessions()
    const headers = { cookie: cookieOf("https://app.test") }
    const failing = { ...adapter, getSessionAndUser: () => Promise.reject(new Error("down")) }
    const update = async (own: Framework<Request>) =>
      createIntegration({ ...quiet, adapter: failing }, own).update(new Request("https://app.test/", { headers }), {})
    expect(await update(trusting)).toBeNull()
    await expect(update(framework)).rejects.toThrow()
  })
})

test("the cookies that a framework knows replace those of the header", async () => {
  const auth = createIntegration({ providers: [password] }, framework)
  const request = new Request("https://app.test/sign-in", { method: "POST" })
  await auth.signIn(request, "credentials", typed)
  const { headers } = auth.finish(request, new Response())
  const cookie = headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ")
  const read = (request: Request) => ({ ...framework.read(request), cookie })
  const later = createIntegration({ providers: [password] }, { ...framework, read })
  const session = await later.session(new Request("https://app.test/", { headers: { cookie: "theme=dark" } }))
  expect(session?.user?.name).toBe("ada")
})

/** An application with the account of a user, who has two sessions. */
async function withAccount(more: Partial<Framework<Request>> = {}) {
  const own = await twoSessions()
  const changes: string[] = []
  const auth = createIntegration(own, { ...framework, ...more })
  const account = (request: Request) => auth.account(request, () => changes.push(new URL(request.url).pathname))
  const answer = async (request: Request): Promise<unknown> => {
    switch (new URL(request.url).pathname) {
      case "/sessions":
        return (await account(request).sessions()).length
      case "/others":
        return account(request).revokeOtherSessions()
      case "/everywhere":
        await auth.session(request)
        await account(request).revokeSessions()
        return auth.session(request)
      default:
        return account(request).revokeSessions()
    }
  }
  const handle = async (request: Request) => {
    const result = await answer(request).catch((error: unknown) => (error instanceof AuthError ? error.type : "?"))
    return auth.finish(request, new Response(String(result)))
  }
  const browser = openBrowser({ origin: "https://app.test", handle, headers: { cookie: cookieOf("https://app.test") } })
  return { auth, browser, changes, handle, adapter: own.adapter }
}

test("the application reads and changes the account, and hears of changes", async () => {
  const { handle, changes } = await withAccount()
  await expectAccount("https://app.test", handle)
  expect(changes).toEqual(["/others"])
})

test("another site can't change the account", async () => {
  const { browser, changes } = await withAccount()
  await browser.post("/others", {}, { from: "https://evil.test" })
  expect(browser.text).toBe("MissingCSRF")
  await browser.get("/sessions")
  expect(browser.text).toBe("2")
  expect(changes).toEqual(["/others"])
})

test("after signing out everywhere, the same request has no session", async () => {
  const { browser } = await withAccount()
  await browser.post("/everywhere")
  expect(browser.text).toBe("null")
})

test("after signing out everywhere, the browser loses its cookie", async () => {
  const { browser } = await withAccount()
  await browser.post("/leave")
  const [cookie] = browser.response.headers.getSetCookie()
  expect(cookie).toMatch(/^__Secure-authjs\.session-token=;.*Max-Age=0/)
  await browser.get("/sessions")
  expect(browser.text).toBe("SessionRequired")
})

test("once the headers are sent, the account can be read and not changed", async () => {
  const { auth } = await withAccount({ isSent: () => true })
  const headers = { cookie: cookieOf("https://app.test") }
  const account = auth.account(new Request("https://app.test/", { headers }))
  expect(await account.sessions()).toHaveLength(2)
  await expect(account.revokeSessions()).rejects.toThrow("headers of the response have been sent")
})
