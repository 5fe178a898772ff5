import { createAuthClient } from "@latchkey/client"
import credentials from "@latchkey/core/providers/credentials"
import { createServer } from "@latchkey/core/server"
import { captureLog } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { strongSecret } from "../../core/test/modes/setup.js"

const origin = "https://app.test"

/** A server without a network in between, and the cookies of one browser. */
function site() {
  const cookies = new Map<string, string>()
  const seen: Request[] = []
  const server = createServer({
    secret: strongSecret,
    url: `${origin}/auth`,
    rateLimit: false,
    logger: captureLog().logger,
    providers: [
      credentials({
        credentials: { name: {}, password: {} },
        authorize: ({ name, password }) => (password === "open sesame" ? { id: "1", name: String(name) } : null),
      }),
    ],
  })
  const browserFetch: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    if (!request.headers.has("cookie")) {
      request.headers.set("cookie", [...cookies].map((pair) => pair.join("=")).join("; "))
    }
    seen.push(request)
    const response = await server.handle(request)
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";")
      cookies.set(pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1))
    }
    return response
  }
  const cookieHeader = () => [...cookies].map((pair) => pair.join("=")).join("; ")
  return { fetch: browserFetch, seen, cookieHeader }
}

const good = { name: "ada", password: "open sesame", redirect: false } as const

describe("on a server", () => {
  test("a client sends no request until asked, and doesn't store the session of a request", async () => {
    const its = site()
    const client = createAuthClient({ baseUrl: origin, fetch: its.fetch })
    expect(its.seen).toEqual([])
    const stop = client.start({ refetchInterval: 1 })
    stop()
    expect(its.seen).toEqual([])
    expect(await client.getSession()).toBeNull()
    expect(client.getSnapshot()).toEqual({ data: undefined, status: "loading" })
  })

  test.each([
    ["a Node.js request", (cookie: string) => ({ headers: { cookie } })],
    ["a web request", (cookie: string) => ({ headers: new Headers({ cookie }) })],
    ["a context with a request", (cookie: string) => ({ req: { headers: { cookie } } })],
  ])("getSession forwards the cookies of %s", async (_, paramsFor) => {
    const [visitor, renderer] = [site(), site()]
    const signedIn = createAuthClient({ baseUrl: origin, fetch: visitor.fetch })
    expect(await signedIn.signIn("credentials", good)).toMatchObject({ ok: true, status: 200 })
    const client = createAuthClient({ baseUrl: origin, fetch: renderer.fetch })
    expect(await client.getSession(paramsFor(visitor.cookieHeader()))).toMatchObject({ user: { name: "ada" } })
    expect(await client.getSession()).toBeNull()
    expect(client.getSnapshot().status).toBe("loading")
  })

  test("getProviders asks every time, because the next request may be for another tenant", async () => {
    const its = site()
    const client = createAuthClient({ baseUrl: origin, fetch: its.fetch })
    const provider = { id: "credentials", type: "credentials", callbackUrl: `${origin}/auth/callback/credentials` }
    expect(await client.getProviders()).toMatchObject({ credentials: provider })
    await client.getProviders()
    expect(its.seen).toHaveLength(2)
  })
})

describe("a client outside a browser, such as in a native app", () => {
  test("signs in and out with a custom fetch", async () => {
    const its = site()
    const client = createAuthClient({ baseUrl: `${origin}/`, basePath: "/auth/", fetch: its.fetch })
    expect(await client.signIn("credentials", { ...good, password: "guess" })).toMatchObject({ ok: false, status: 401 })
    expect(await client.signIn("credentials", good)).toMatchObject({ ok: true })
    expect(client.getSnapshot()).toMatchObject({ status: "authenticated", data: { user: { name: "ada" } } })
    expect(await client.signOut({ redirect: false })).toMatchObject({ ok: true })
    expect(client.getSnapshot()).toEqual({ status: "unauthenticated", data: null })
  })

  test("sends the scope of a sign-out, and keeps the user if only the other sessions end", async () => {
    const sent: string[] = []
    const its = site()
    const answering: typeof fetch = async (input, init) => {
      if (!String(input).endsWith("/signout")) return its.fetch(input, init)
      sent.push(String(init?.body))
      return Response.json({ url: `${origin}/` })
    }
    const client = createAuthClient({ baseUrl: origin, fetch: answering })
    await client.signIn("credentials", good)
    expect(await client.signOut({ scope: "others", redirect: false })).toMatchObject({ ok: true })
    expect(client.getSnapshot().status).toBe("authenticated")
    expect(await client.signOut({ scope: "all", redirect: false })).toMatchObject({ ok: true })
    expect(client.getSnapshot().status).toBe("unauthenticated")
    expect(sent.map((body) => new URLSearchParams(body).get("scope"))).toEqual(["others", "all"])
  })

  test("navigates with a custom function", async () => {
    const its = site()
    const went: string[] = []
    const client = createAuthClient({ baseUrl: origin, fetch: its.fetch, navigate: (url) => went.push(url) })
    await client.signIn("credentials", { name: "ada", password: "open sesame", redirectTo: "/next" })
    await client.signIn()
    await client.signOut({ redirectTo: "/bye" })
    expect(went).toEqual([
      `${origin}/next`,
      `${origin}/auth/signin?${new URLSearchParams({ callbackUrl: `${origin}/auth` })}`,
      `${origin}/bye`,
    ])
  })

  test("sends form fields as strings and leaves out missing ones", async () => {
    const sent: string[] = []
    const its = site()
    const recording: typeof fetch = async (input, init) => {
      if (init?.body instanceof URLSearchParams) sent.push(init.body.toString())
      return its.fetch(input, init)
    }
    const client = createAuthClient({ baseUrl: origin, fetch: recording })
    const fields = {
      name: "ada",
      code: 7,
      remember: true,
      tags: ["a"],
      none: undefined,
      nil: null,
      redirect: false,
    } as const
    await client.signIn("credentials", { ...fields, redirectTo: "/next", csrfToken: "forged" })
    expect(sent[0]).toMatch(
      /^name=ada&code=7&remember=true&tags=%5B%22a%22%5D&csrfToken=[0-9a-f]{64}&callbackUrl=%2Fnext$/,
    )
  })

  test("onError gets the URL and the status, and nothing from the response", async () => {
    const errors: string[] = []
    const client = createAuthClient({
      baseUrl: origin,
      fetch: async () => new Response("secret of the proxy", { status: 502 }),
      onError: ({ name, message }) => errors.push(`${name}: ${message}`),
    })
    expect([await client.getSession(), await client.getCsrfToken(), await client.getProviders()]).toEqual([
      null,
      "",
      null,
    ])
    const sentence = "failed: unexpected response with status 502. Check the server log."
    expect(errors).toEqual(
      ["session", "csrf", "providers"].map((path) => `ClientFetchError: ${origin}/auth/${path} ${sentence}`),
    )
  })

  test("a server without CSRF tokens (404) gets a form without one", async () => {
    const posted: string[] = []
    const client = createAuthClient({
      baseUrl: origin,
      onError: vi.fn(),
      fetch: async (input, init) => {
        const { pathname } = new URL(String(input))
        if (init?.method === "POST") posted.push(pathname)
        if (pathname === "/auth/csrf") return new Response(null, { status: 404 })
        return Response.json(
          pathname === "/auth/providers" ? { mail: { id: "mail", type: "email" } } : { url: "/sent" },
        )
      },
    })
    expect(await client.signIn("mail", { redirect: false })).toMatchObject({ ok: true, url: `${origin}/sent` })
    expect(posted).toEqual(["/auth/signin/mail"])
  })
})
