import { memoryAdapter } from "@latchkey/adapter-kit/memory"
import { createIntegration, type Framework } from "@latchkey/core/integration"
import { defineModule, record, route, text, type Module, type RequestContext } from "@latchkey/core/module"
import { createSessionReader } from "@latchkey/core/session-reader"
import { createProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { code, siteOf } from "./setup.js"

// Requests that name their user in a header, such as one with an access token.

const expires = "2030-01-01T00:00:00.000Z"
const page = { accept: "text/html" }
const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGqRjE8tLqVw"
const records = { key: record({ name: text() }, { key: ["name"] }) }

type KeyContext = RequestContext<typeof records>

/** A key that is a record. */
const keys = (): Module =>
  defineModule({
    id: "keys",
    records,
    authenticates: (headers) => headers.has("x-key"),
    load: async () => ({
      async identify({ records: { key }, request }) {
        const found = await key.get({ name: request.headers.get("x-key") ?? "" })
        return found === null ? null : { user: { name: `${found.name} at ${request.origin}` }, expires }
      },
      routes: [
        route("POST", "make", { session: "none", csrf: false }, async ({ records: own, empty }: KeyContext) => {
          await own.key.insert({ name: "k1" })
          return empty(204)
        }),
      ],
    }),
  })

describe("a request that names its user in a header", () => {
  test("has the session that the parts of the module find in their records", async () => {
    const { browser } = await siteOf([keys()], { adapter: memoryAdapter() })
    await browser.fetch("/auth/keys/make", { method: "POST" })
    const found = await browser.fetch("/auth/session", { headers: { "x-key": "k1" } })
    expect(await found.json()).toMatchObject({ user: { name: "k1 at https://app.test" } })
  })

  test("has no session of its cookies", async () => {
    const { browser } = await siteOf([keys()], { adapter: memoryAdapter(), session: { strategy: "jwt" } })
    await browser.signIn("credentials", { name: "ada" })
    expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
    const response = await browser.fetch("/auth/session", { headers: { "x-key": "no" } })
    expect(await response.json()).toBeNull()
    expect(response.headers.getSetCookie()).toEqual([])
    await browser.fetch("/auth/signout", { method: "POST", headers: { "x-key": "no" } })
    expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
  })

  test("is told that it isn't signed in, and never sees a page", async () => {
    const framework: Framework<Request> = {
      basePath: "/auth",
      env: () => ({}),
      read: (request) => ({ method: request.method, url: new URL(request.url), headers: request.headers }),
      toRequest: (request) => request,
    }
    const config = { secret, trustHost: true, adapter: memoryAdapter(), providers: [code], modules: [keys()] }
    const auth = createIntegration(config, framework)
    const ask = (headers: Readonly<Record<string, string>>) =>
      auth.requireSession(new Request("https://app.test/page", { headers: { ...page, ...headers } }))
    const refused = await ask({ "x-key": "no" })
    expect("response" in refused && refused.response.status).toBe(401)
    expect("response" in refused && refused.response.headers.get("www-authenticate")).toBe(
      'Bearer error="invalid_token"',
    )
    const visitor = await ask({})
    expect("response" in visitor && visitor.response.status).toBe(303)
  })

  test("is identified without records where only sessions are read", async () => {
    const simple: Module = {
      ...keys(),
      identify: ({ headers }) => ({ user: { name: headers.get("x-key") }, expires }),
    }
    const reader = createSessionReader({ secret, trustHost: true, modules: [simple] })
    const { session } = await reader.session({ headers: new Headers({ "x-key": "k2" }), origin: "https://app.test" })
    expect(session).toMatchObject({ user: { name: "k2" } })
  })
})

describe("a route of a module", () => {
  const withRoute = (...routes: ReturnType<typeof route>[]) => defineModule({ id: "m", load: async () => ({ routes }) })

  test("answers OPTIONS if it has a route for it, without a token", async () => {
    const preflight = route("OPTIONS", "data", { session: "none" }, ({ empty }) =>
      empty(204, { "access-control-allow-origin": "https://spa.test" }),
    )
    const { browser } = await siteOf([withRoute(preflight)])
    const asked = await browser.fetch("/auth/m/data", { method: "OPTIONS" })
    expect([asked.status, asked.headers.get("access-control-allow-origin")]).toEqual([204, "https://spa.test"])
    const other = await browser.fetch("/auth/m/other", { method: "OPTIONS" })
    expect([other.status, other.headers.get("access-control-allow-origin")]).toEqual([204, null])
  })

  test("sets headers of its JSON", async () => {
    const data = route("GET", "data", { session: "none" }, ({ json }) => json({}, 200, { "cache-control": "public" }))
    const { browser } = await siteOf([withRoute(data)])
    expect((await browser.get("/auth/m/data")).headers.get("cache-control")).toBe("public")
  })

  test("lets a form of its page lead to an app", async () => {
    const shows = route("GET", "page", { session: "none" }, ({ page }) =>
      page({ title: "Go on", blocks: [], redirects: ["com.example.app:/back", "nonsense"] }),
    )
    const { browser } = await siteOf([withRoute(shows)])
    const policy = (await browser.get("/auth/m/page")).headers.get("content-security-policy")
    expect(policy).toMatch(/form-action 'self' com\.example\.app:(?:;|$)/)
  })
})

describe.each(["jwt", "database"] as const)("a module (%s)", (strategy) => {
  const tells = defineModule({
    id: "tells",
    load: async () => ({
      routes: [
        route("GET", "facts", { session: "none" }, async ({ signIn, user, users, json }) => {
          const [said, who] = [await signIn(), await user()]
          if (said?.session === undefined) return json(said)
          const isLive = async (id: string) => users.hasSession(id, said.session ?? "")
          return json({ ...said, isLive: await isLive(who?.id ?? ""), ofAnother: await isLive("another") })
        }),
        route("POST", "is-live", { session: "none", csrf: false }, async ({ request, users, json }) => {
          const { id, session } = request.fields
          return json(await users.hasSession(String(id), String(session)))
        }),
      ],
    }),
  })

  test("learns when and how the user signed in, and whether the session has ended", async () => {
    const [adapter, op] = [memoryAdapter(), createProvider()]
    const session = { strategy, stepUp: true } as const
    const { browser } = await siteOf([tells], {
      adapter,
      session,
      security: strategy === "jwt" ? { mode: "compatible", revocableSessions: true } : "compatible",
      providers: [op.provider()],
    })
    const facts = async () => (await browser.fetch("/auth/tells/facts")).json()
    expect(await facts()).toBeNull()
    await browser.signInWith(op, { as: "ada" })
    const known = (await facts()) as { readonly session: string }
    expect(known).toMatchObject({ amr: ["fed"], authTime: expect.any(Number) })
    expect(known).toMatchObject({ session: expect.any(String), isLive: true, ofAnother: false })
    await browser.signOut()
    const body = new URLSearchParams({ id: adapter.rows().users[0]?.id ?? "", session: known.session })
    expect(await (await browser.fetch("/auth/tells/is-live", { method: "POST", body })).json()).toBe(false)
  })
})
