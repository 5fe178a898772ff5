import { skipCSRFCheck } from "@latchkey/core"
import credentials from "@latchkey/node/providers/credentials"
import { captureLog, openBrowser } from "@latchkey/testing"
import { describe, expect, test, vi } from "vitest"
import { type AuthConfig, createAuth } from "../src/fetch.js"
import { expectToken } from "../../../tests/csrf-token.js"
import { expectAccount, twoSessions } from "../../../tests/two-sessions.js"

const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw"

const password = credentials({
  credentials: { name: {}, password: {} },
  authorize: ({ name, password }) => (password === "open sesame" ? { id: String(name), name: String(name) } : null),
})

const typed = { name: "ada", password: "open sesame" }
const config: AuthConfig = { secret, trustHost: true, providers: [password], logger: captureLog().logger }

function application(extra: Partial<AuthConfig> = {}) {
  const auth = createAuth({ ...config, ...extra })
  const handle = auth.handler(async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname === "/sign-in")
      return auth.signIn(request, "credentials", Object.fromEntries(await request.formData()))
    if (pathname === "/token") return new Response(await auth.csrfToken(request))
    if (pathname === "/sign-out") return auth.signOut(request, { redirectTo: "/" })
    if (pathname === "/") return Response.json((await auth.getSession(request))?.user?.name ?? null)
    const { session, response } = await auth.requireSession(request)
    return response ?? Response.json(session.user?.name)
  })
  return { auth, browser: openBrowser({ origin: "https://app.test", handle: (request) => handle(request) }) }
}

describe("a fetch handler", () => {
  test("signs in and out with forms of the app", async () => {
    const { browser } = application({ session: { updateAge: 0 } })
    await browser.post("/sign-in", { ...typed, redirectTo: "/account" })
    expect(browser.text).toBe('"ada"')
    expect(browser.response.headers.get("cache-control")).toBe("private, no-store")
    await browser.post("/sign-out")
    expect(browser.text).toBe("null")
  })

  test("gives forms of the app the token with which they post to the auth routes", async () => {
    await expectToken(application().browser, typed)
  })

  test("protects pages and APIs", async () => {
    const { browser } = application()
    await browser.get("/account")
    expect(browser.location).toBe("https://app.test/auth/signin?callbackUrl=%2Faccount")
    expect((await browser.fetch("/account")).status).toBe(401)
  })

  test("without the handler, a sign-in says what is missing", async () => {
    const { auth } = application()
    await expect(auth.signIn(new Request("https://app.test/"), "credentials", typed)).rejects.toThrow("auth.handler()")
  })

  test("passes on the arguments of the server, and reads the bindings of a Worker", async () => {
    const bindings = { AUTH_SECRET: secret, AUTH_TRUST_HOST: "true", NAME: "worker" }
    const context = { waitUntil: () => undefined }
    const names: unknown[] = []
    const auth = createAuth((_request, env) => {
      names.push(env["NAME"])
      return { providers: [password] }
    })
    const handle = auth.handler(async (request, env: typeof bindings, ctx: typeof context) =>
      Response.json([await auth.getSession(request), env.NAME, ctx === context]),
    )
    const response = await handle(new Request("https://app.test/"), bindings, context)
    expect(await response.json()).toEqual([null, "worker", true])
    expect(names).toEqual(["worker"])
    expect((await handle(new Request("https://app.test/auth/csrf"), bindings, context)).status).toBe(200)
  })

  test.each<[string, (client: string) => readonly unknown[], (client: string) => Record<string, string>]>([
    ["Deno", (hostname) => [{ remoteAddr: { hostname } }], () => ({})],
    ["Bun", (address) => [{ requestIP: () => ({ address }) }], () => ({})],
    ["Workers", () => [{}, { waitUntil: () => undefined }], (client) => ({ "cf-connecting-ip": client })],
  ])("rate limits count the address that %s knows", async (name, restOf, headersOf) => {
    if (name === "Workers") vi.stubGlobal("navigator", { userAgent: "Cloudflare-Workers" })
    expect(await attempts(name, restOf, headersOf)).toEqual([302, 302, 429, 302])
  })

  test("a client can't choose its address with a header of Cloudflare on another platform", async () => {
    const elsewhere = ["platform", () => [{}, { waitUntil: () => undefined }]] as const
    const statuses = await attempts(...elsewhere, (client) => ({ "cf-connecting-ip": client }))
    expect(statuses).toEqual([302, 302, 302, 302])
  })

  async function attempts(
    name: string,
    restOf: (client: string) => readonly unknown[],
    headersOf: (client: string) => Record<string, string>,
  ): Promise<readonly number[]> {
    const auth = createAuth({
      ...config,
      secret: `k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tL-${name}`,
      skipCSRFCheck,
      rateLimit: { limits: { credentials: { address: { points: 2, seconds: 60 } } } },
    })
    const handle = auth.handler<readonly unknown[]>(() => new Response())
    const statuses: number[] = []
    for (const [at, client] of ["203.0.113.1", "203.0.113.1", "203.0.113.1", "203.0.113.2"].entries()) {
      const body = new URLSearchParams({ name: `user ${at}` })
      const request = new Request("https://app.test/auth/callback/credentials", {
        method: "POST",
        body,
        headers: headersOf(client),
      })
      statuses.push((await handle(request, ...restOf(client))).status)
    }
    return statuses
  }
})

test("a handler reads and changes the account of the user", async () => {
  const auth = createAuth(await twoSessions())
  const handle = auth.handler(async (request) => {
    const account = auth.account(request)
    const count = request.method === "POST" ? await account.revokeOtherSessions() : (await account.sessions()).length
    return new Response(String(count))
  })
  await expectAccount("https://app.test", (request) => handle(request))
})

test("the server ends every session of a user without a request", async () => {
  const options = await twoSessions()
  await createAuth(options).revoke("1", "stolen laptop")
  expect(options.adapter.rows().sessions).toEqual([])
})
