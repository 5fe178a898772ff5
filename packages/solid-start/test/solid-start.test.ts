import credentials from "@latchkey/core/providers/credentials"
import { AuthError, getSession, SolidAuth, type SolidAuthConfig, type SolidStartEvent } from "@latchkey/solid-start"
import { openBrowser } from "@latchkey/testing"
import { provideRequestEvent } from "solid-js/web/storage"
import { afterEach, beforeEach, expect, test, vi } from "vitest"
import { connected } from "../../../tests/connected.js"
import { cookieOf, twoSessions } from "../../../tests/two-sessions.js"

const password = credentials({
  credentials: { name: {}, password: {} },
  authorize: ({ name, password }) => (password === "open sesame" ? { id: "1", name: String(name) } : null),
})

const options = (more: Partial<SolidAuthConfig> = {}): SolidAuthConfig => ({ providers: [password], ...more })

beforeEach(() => {
  vi.stubEnv("AUTH_SECRET", "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw")
  vi.stubEnv("AUTH_TRUST_HOST", "true")
})
afterEach(() => vi.unstubAllEnvs())

/** The event that SolidStart makes, with the response headers of H3. */
function eventFor(request: Request) {
  const res = { headers: new Headers(), errHeaders: new Headers() }
  const locals: { session?: unknown } = {}
  return { request, response: res, locals, nativeEvent: { req: request, res } } satisfies SolidStartEvent
}

/** Calls `work` as SolidStart calls a server function. */
async function during<R>(request: Request, work: () => Promise<R>) {
  const event = eventFor(request)
  const result = await provideRequestEvent(event, () => work().catch((thrown: unknown) => thrown))
  return { ...event, result }
}

function serverFunction(headers: Record<string, string> = {}, method = "POST"): Request {
  const own = { origin: "https://app.test", "sec-fetch-site": "same-origin", referer: "https://app.test/account?tab=1" }
  return new Request("https://app.test/_server?id=a", { method, headers: { ...own, ...headers } })
}

const otherSite = { origin: "https://evil.test", "sec-fetch-site": "cross-site" }
const typed = { name: "ada", password: "open sesame" }

/** The cookies that a browser sends after a response. */
function cookiesIn(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ")
}

async function signedIn(auth = SolidAuth(options())): Promise<string> {
  const { response } = await during(serverFunction(), () => auth.signIn("credentials", typed))
  return cookiesIn(response.headers)
}

test("a form with the token of csrfToken posts to the auth routes", async () => {
  const auth = SolidAuth(options())
  const { response, result } = await during(serverFunction(), () => auth.csrfToken())
  const body = new URLSearchParams({ ...typed, csrfToken: String(result) })
  const headers = { cookie: cookiesIn(response.headers), origin: "https://app.test" }
  const request = new Request("https://app.test/api/auth/callback/credentials", { method: "POST", body, headers })
  const answer = await auth.POST(eventFor(request))
  expect(answer?.headers.getSetCookie().join()).toContain("session-token=")
})

test("the default configuration works as plain handlers, also without SolidStart", async () => {
  const config = options()
  const { GET, POST } = SolidAuth(config)
  const handle = async (request: Request) => {
    const answer = await (request.method === "POST" ? POST : GET)({ request })
    return answer ?? Response.json(await getSession(request, config))
  }
  const browser = openBrowser({ origin: "https://app.test", basePath: "/api/auth", handle })
  await browser.signIn("credentials", typed)
  await browser.get("/")
  expect(JSON.parse(browser.text)).toMatchObject({ user: { name: "ada" } })
})

test.each(["prefix", "basePath"])("`%s` moves the routes, and getSession follows", async (name) => {
  const config = options({ [name]: "/auth" })
  const { GET } = SolidAuth(config)
  const request = (path: string) => new Request(`https://app.test${path}`)
  expect((await GET({ request: request("/auth/csrf") }))?.status).toBe(200)
  expect(await GET({ request: request("/api/auth/csrf") })).toBeUndefined()
  expect(await getSession(request("/"), config)).toBeNull()
})

test("the configuration isn't changed", async () => {
  const config = Object.freeze(options())
  await getSession(new Request("https://app.test/"), config)
  expect(Object.keys(config)).toEqual(["providers"])
})

test("signIn redirects, and its cookies are also sent with errors, and with no cache in between", async () => {
  const { signIn } = SolidAuth(options())
  const { result, response } = await during(serverFunction(), () =>
    signIn("credentials", { ...typed, redirectTo: "/x" }),
  )
  expect(result).toMatchObject({ status: 303 })
  expect((result as Response).headers.get("location")).toBe("https://app.test/x")
  for (const headers of [response.headers, response.errHeaders]) {
    expect(cookiesIn(headers)).toContain("session-token=")
    expect(headers.get("cache-control")).toBe("private, no-store")
  }
})

test("a refused sign-in leads to a sign-in page that knows the way back", async () => {
  const { signIn } = SolidAuth(options({ pages: { signIn: "/sign-in" } }))
  const wrong = new URLSearchParams({ ...typed, password: "wrong", callbackUrl: "/account" })
  const { result } = await during(serverFunction(), () => signIn("credentials", wrong))
  const page = new URL((result as Response).headers.get("location") ?? "")
  expect(page.pathname).toBe("/sign-in")
  expect(Object.fromEntries(page.searchParams)).toMatchObject({ error: "CredentialsSignin", callbackUrl: "/account" })
})

test("with `redirect: false`, a refused sign-in returns the error", async () => {
  const { signIn } = SolidAuth(options())
  const fields = { ...typed, password: "wrong", redirect: false } as const
  const { result } = await during(serverFunction(), () => signIn("credentials", fields))
  expect(result).toMatchObject({ error: { type: "CredentialsSignin" } })
})

test("a field of a form can't turn the redirect off", async () => {
  const { signIn } = SolidAuth(options())
  const { result } = await during(serverFunction(), () =>
    signIn("credentials", new URLSearchParams({ ...typed, redirect: "" })),
  )
  expect(result).toBeInstanceOf(Response)
})

test("after a sign-in, the same request has the session", async () => {
  const { signIn, getSession } = SolidAuth(options())
  const { result, locals } = await during(serverFunction(), async () => {
    await signIn("credentials", { ...typed, redirect: false })
    return getSession()
  })
  expect(result).toMatchObject({ user: { name: "ada" } })
  expect(locals.session).toEqual(result)
})

test.each([
  ["a form of another site", serverFunction(otherSite)],
  ["a form of a sibling site", serverFunction({ ...otherSite, "sec-fetch-site": "same-site" })],
  [
    "a form of another site in an old browser",
    new Request("https://app.test/_server", { method: "POST", headers: { origin: "https://evil.test" } }),
  ],
  ["a link", serverFunction({ "sec-fetch-site": "cross-site" }, "GET")],
  ["a link in an old browser", new Request("https://app.test/_server?id=a")],
])("%s calls no server function", async (_, request) => {
  const { middleware, signOut, update } = SolidAuth(options())
  const next = vi.fn()
  const { result } = await during(request, () => middleware({ req: request }, next))
  expect(result).toMatchObject({ status: 403 })
  expect(next).not.toHaveBeenCalled()
  expect((await during(request, () => signOut())).result).toMatchObject({ status: 403 })
  expect((await during(request, () => update({ user: {} }))).result).toMatchObject({ status: 403 })
})

test("scripts and forms of the application call server functions, behind a proxy too", async () => {
  const { middleware } = SolidAuth(options())
  const proxied = { origin: "https://public.test", "x-forwarded-host": "public.test" }
  const requests = [
    serverFunction({ "x-server-id": "a" }, "GET"),
    serverFunction(),
    new Request("https://app.test/_server", { method: "POST", headers: proxied }),
    new Request("https://app.test/_server", { method: "POST" }),
  ]
  for (const request of requests) {
    const { result } = await during(request, () => middleware({ req: request }, () => "page"))
    expect(result).toBe("page")
  }
})

test("the middleware answers the auth routes, and puts the session into locals", async () => {
  const auth = SolidAuth(options())
  const cookie = await signedIn(auth)
  const at = async (path: string) => {
    const request = new Request(`https://app.test${path}`, { headers: { cookie } })
    const event = eventFor(request)
    const run = () => provideRequestEvent(event, () => auth.middleware(event.nativeEvent, () => "page"))
    return { result: await run(), session: event.locals.session }
  }
  expect((await at("/api/auth/session")).result).toBeInstanceOf(Response)
  expect(await at("/")).toMatchObject({ result: "page", session: { user: { name: "ada" } } })
})

test("a route can't make a response with a session cacheable", async () => {
  const auth = SolidAuth(options())
  const request = serverFunction()
  const event = eventFor(request)
  const page = async () => {
    await auth.signIn("credentials", { ...typed, redirect: false })
    event.response.headers.set("cache-control", "public, s-maxage=60")
    return new Response("page", { headers: { "cdn-cache-control": "max-age=60" } })
  }
  const result = await provideRequestEvent(event, () => auth.middleware(event.nativeEvent, page))
  expect(event.response.headers.get("cache-control")).toBe("private, no-store")
  expect((result as Response).headers.get("cdn-cache-control")).toBeNull()
})

test("without a session, a page redirects, a script loads a document, and an API route answers 401", async () => {
  const { requireSession, middleware } = SolidAuth(options())
  const page = { ...eventFor(new Request("https://app.test/account?tab=1")), routes: [] }
  const pageResult: unknown = await provideRequestEvent(page, () => requireSession().catch((thrown: unknown) => thrown))
  // The router would put its base in front of a path.
  const target = "https://app.test/api/auth/signin?callbackUrl=%2Faccount%3Ftab%3D1"
  expect((pageResult as Response).headers.get("location")).toBe(target)

  const script = await during(serverFunction({ "x-server-id": "a" }, "GET"), () =>
    requireSession({ redirectTo: "/next" }),
  )
  const location = new URL((script.result as Response).headers.get("location") ?? "")
  expect(location.href).toBe("https://app.test/api/auth/signin?callbackUrl=%2Fnext")

  const api = { ...eventFor(new Request("https://app.test/api/account")), params: {} }
  const answer = await provideRequestEvent(api, () => middleware(api.nativeEvent, () => requireSession()))
  expect(answer).toMatchObject({ status: 401 })
})

test("an error that ends up in the page has a type and an ID, but no details", async () => {
  vi.stubEnv("AUTH_SECRET", undefined)
  vi.spyOn(console, "error").mockImplementation(() => {})
  const { getSession, requireSession } = SolidAuth(options())
  for (const call of [() => getSession(), () => requireSession()]) {
    const { result } = await during(serverFunction(), call)
    expect(result).toBeInstanceOf(AuthError)
    expect(result).toMatchObject({
      type: "MissingSecret",
      message: expect.stringContaining("error ID"),
      cause: undefined,
    })
    expect(`${(result as Error).message} ${(result as Error).stack}`).not.toMatch(/AUTH_SECRET|:\d+:\d+/)
  }
})

test("outside of a request, the functions say where to call them", async () => {
  await expect(SolidAuth(options()).signOut()).rejects.toThrow("Call it in a server function")
})

test("after the response has left, nothing changes", async () => {
  const auth = SolidAuth(options())
  const event = eventFor(serverFunction())
  await provideRequestEvent(event, () => auth.middleware(event.nativeEvent, () => "page"))
  await expect(provideRequestEvent(event, () => auth.signOut())).rejects.toThrow()
})

test("server functions read and change the account of the user, and other sites don't", async () => {
  const { account } = SolidAuth(await twoSessions())
  const cookie = cookieOf("https://app.test")
  const { result: forged } = await during(serverFunction({ cookie, ...otherSite }), async () =>
    account().revokeOtherSessions(),
  )
  expect(forged).toMatchObject({ status: 403 })
  const { result } = await during(serverFunction({ cookie }), async () => {
    const before = await account().sessions()
    return [before.length, await account().revokeOtherSessions(), (await account().sessions()).length]
  })
  expect(result).toEqual([2, 1, 1])
})

test("the server ends every session of a user without a request", async () => {
  const options = await twoSessions()
  await SolidAuth(options).revoke("1", "stolen laptop")
  expect(options.adapter.rows().sessions).toEqual([])
})

test("`token` acts for the user who called the server function, and for no other site", async () => {
  const { config, cookie, sent } = await connected()
  const { token } = SolidAuth(config)
  const { result } = await during(serverFunction({ cookie }), async () => [
    await token("op"),
    await token.fetch("op", "https://api.test/items"),
  ])
  expect(result).toMatchObject([{ account: "ada" }, expect.any(Response)])
  expect(sent).toHaveLength(1)
  const { result: forged } = await during(serverFunction({ cookie, ...otherSite }), async () => token("op"))
  expect(forged).toMatchObject({ status: 403 })
})
