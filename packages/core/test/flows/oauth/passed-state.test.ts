import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { type Browser, createProvider, type FakeProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { answerOf, flowCookies, modes, open, secret } from "./app.js"

type Callbacks = NonNullable<AuthConfig["callbacks"]>

/** An application that notes the `state` of each callback, or that there's no such key. */
async function site(mode: (typeof modes)[number], strategy: "jwt" | "database" = "jwt") {
  const op = createProvider()
  const seen: Record<string, unknown> = {}
  const note = (name: string, params: object) => {
    seen[name] = "state" in params ? params.state : "none"
  }
  const callbacks: Callbacks = {
    signIn: (params) => (note("signIn", params), true),
    signUp: (params) => (note("signUp", params), true),
    jwt: (params) => {
      if (params.trigger !== undefined) note(`jwt ${params.trigger}`, params)
      return params.token
    },
  }
  const events: AuthConfig["events"] = { signIn: (message) => note("event", message) }
  const config = { callbacks, events, security: mode, session: { strategy }, url: "https://app.test/auth" } as const
  return { op, seen, ...(await open([op.provider()], config)) }
}

async function begin(browser: Browser, fields: Readonly<Record<string, string>>): Promise<URL> {
  await browser.post("/auth/signin/op", { csrfToken: (await browser.csrf()) ?? "", ...fields })
  return new URL(browser.location)
}

async function finish({ browser, op }: { browser: Browser; op: FakeProvider }, at: URL): Promise<void> {
  await browser.get(await answerOf(op, at))
}

describe.each(modes)("the state that the application passes to signIn (%s)", (mode) => {
  const state = { plan: "premium", seats: 3, tags: ["a"], note: null }

  test("arrives in each callback of the sign-in and in the event, and is in no URL", async () => {
    const its = await site(mode)
    const at = await begin(its.browser, { state: JSON.stringify(state) })
    expect(at.href).not.toContain("premium")
    await finish(its, at)
    expect(its.seen).toEqual({ signIn: state, signUp: state, "jwt signUp": state, event: state })
    for (const { url } of its.op.requestsTo("token")) expect(url.href).not.toContain("premium")
    await its.browser.signOut()
    await finish(its, await begin(its.browser, { state: '{"plan":"free"}' }))
    expect(its.seen).toMatchObject({ signIn: { plan: "free" }, "jwt signIn": { plan: "free" } })
    expect(await its.browser.session()).not.toHaveProperty("state")
  })

  test("can be an object in a call on the server", async () => {
    const op = createProvider()
    const seen: unknown[] = []
    const callbacks: Callbacks = { signIn: (params) => seen.push(params.state) > 0 }
    const server = createServer({ secret, url: "https://app.test/auth", providers: [op.provider()], callbacks })
    const visitor = { headers: new Headers(), origin: "https://app.test" }
    const { to, cookies } = await server.signIn(visitor, "op", { state })
    expect(to).not.toContain("premium")
    const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join("; ")
    const answer = await answerOf(op, new URL(to))
    await server.handle(new Request(answer, { headers: { cookie } }))
    expect(seen).toEqual([state])
    await expect(server.signIn(visitor, "op", { state: { text: "x".repeat(1100) } })).rejects.toThrow("1024 bytes")
  })

  test.each(["", "pro", "[1]", "1", "null", "{", '"{}"', "[object Object]"])(
    "is absent if it's no object, as in Auth.js v5: %j",
    async (given) => {
      const its = await site(mode)
      await finish(its, await begin(its.browser, { state: given }))
      expect(its.seen).toMatchObject({ signIn: "none", "jwt signUp": "none", event: "none" })
    },
  )

  test("belongs to its attempt: another browser or another attempt doesn't get it", async () => {
    const its = await site(mode)
    const first = await begin(its.browser, { state: JSON.stringify(state) })
    const second = await begin(its.browser, {})
    await finish(its, second)
    expect(its.seen["signIn"]).toBe("none")
    const thief = its.browser.fresh()
    await finish({ browser: thief, op: its.op }, first)
    expect(await thief.session()).toBeNull()
    expect(its.seen["signIn"]).toBe("none")
  })

  test("can't be changed in the cookie", async () => {
    const its = await site(mode)
    const at = await begin(its.browser, { state: '{"plan":"free"}' })
    for (const cookie of its.browser.cookies.filter(({ name }) => flowCookies(its.browser).includes(name)))
      its.browser.jar.put({ ...cookie, value: cookie.value.slice(0, -8) + "AAAAAAAA" })
    await finish(its, at)
    expect(await its.browser.session()).toBeNull()
    expect(its.seen).toEqual({})
  })

  test.each([
    ["a kilobyte", JSON.stringify({ text: "x".repeat(1020) })],
    ["60 kilobytes", JSON.stringify({ text: "x".repeat(60_000) })],
    ["characters of several bytes", JSON.stringify({ text: "é".repeat(600) })],
    ["many levels", `${'{"a":'.repeat(50)}1${"}".repeat(50)}`],
  ])("that is too large gets status 400, and a reason in the log: %s", async (_, given) => {
    const its = await site(mode)
    await begin(its.browser, { state: given })
    expect(its.browser.response.status).toBe(400)
    expect(flowCookies(its.browser)).toEqual([])
    expect(its.log.entries.map(({ text }) => text).join("\n")).toContain("Keep the data, and pass its id")
  })

  test("of a megabyte isn't read", async () => {
    const its = await site(mode)
    await begin(its.browser, { state: JSON.stringify({ text: "x".repeat(1_000_000) }) })
    expect(its.browser.response.status).toBe(413)
    expect(flowCookies(its.browser)).toEqual([])
  })

  test("has no keys that would change a prototype", async () => {
    const its = await site(mode)
    const given = '{"plan":"pro","__proto__":{"isAdmin":true},"a":{"constructor":{"prototype":{"isAdmin":true}}}}'
    await finish(its, await begin(its.browser, { state: given }))
    expect(its.seen["signIn"]).toEqual({ plan: "pro", a: {} })
    expect(JSON.stringify(its.seen["signIn"])).not.toContain("isAdmin")
    const merged = Object.assign({}, its.seen["signIn"])
    expect(merged).not.toHaveProperty("isAdmin")
  })

  test("doesn't replace what the engine keeps of the attempt", async () => {
    const its = await site(mode)
    const given = {
      state: "x",
      redirectUri: "https://evil.test",
      userId: "1",
      link: true,
      callbackUrl: "https://evil.test",
    }
    await finish(its, await begin(its.browser, { state: JSON.stringify(given), callbackUrl: "/inbox" }))
    expect(its.browser.location).toBe("https://app.test/inbox")
    expect(its.seen["signIn"]).toEqual(given)
  })
})
