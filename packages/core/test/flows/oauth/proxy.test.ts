import { createProvider } from "@latchkey/testing"
import type { Browser, FakeProvider } from "@latchkey/testing"
import type { OIDCConfig } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { type App, type AppOptions, begin, flowCookies, modes, open, outcome } from "./app.js"

const redirectProxyUrl = "https://proxy.test/auth"
const preview = "https://a.preview.test"
const responseModes = ["query", "form_post"] as const
type ResponseMode = (typeof responseModes)[number]

function providerOf(op: FakeProvider, mode: ResponseMode, more: Partial<OIDCConfig> = {}) {
  return op.provider({ authorization: { params: { response_mode: mode } }, ...more })
}

async function deployments(op: FakeProvider, mode: ResponseMode, options: AppOptions = {}) {
  const providers = [providerOf(op, mode)]
  const app = await open(providers, { redirectProxyUrl, origin: preview, ...options })
  const proxy = await open(providers, { redirectProxyUrl, ...options, origin: "https://proxy.test" })
  return { app, proxy }
}

/** The request that the proxy sends on. */
function handedOn({ browser }: App) {
  const [form] = browser.forms
  return form?.action.includes("/callback/")
    ? { method: form.method, at: form.action, fields: form.fields }
    : { method: "GET", at: browser.location, fields: {} }
}

async function takeOn(browser: Browser, { method, at, fields }: ReturnType<typeof handedOn>): Promise<void> {
  const from = "https://proxy.test"
  await (method === "GET" ? browser.get(at, { from }) : browser.post(at, fields, { from }))
}

describe.each(responseModes.flatMap((mode) => modes.map((security) => [mode, security] as const)))(
  "with response_mode=%s under %s security",
  (mode, security) => {
    async function throughProxy(op: FakeProvider, options: AppOptions = {}) {
      const { app, proxy } = await deployments(op, mode, { security, ...options })
      const at = await begin(app.browser)
      const answer = await op.authorize(at, { as: "ada" })
      await proxy.browser.follow(answer, op.issuer)
      return { app, proxy, at }
    }

    test("the provider gets the URL of the proxy", async () => {
      const op = createProvider()
      const { at } = await throughProxy(op)
      expect(at.searchParams.get("redirect_uri")).toBe(`${redirectProxyUrl}/callback/op`)
    })

    test("the proxy sends a callback on to the deployment that asked, which exchanges the code", async () => {
      const op = createProvider({ redirectUris: [`${redirectProxyUrl}/callback/op`] })
      const { app, proxy } = await throughProxy(op)
      const next = handedOn(proxy)
      const { method, at } = next
      expect(at.split("?")[0]).toBe(`${preview}/auth/callback/op`)
      expect(method).toBe(mode === "query" ? "GET" : "POST")
      expect([op.requestsTo("token"), flowCookies(proxy.browser)]).toEqual([[], []])
      await takeOn(app.browser, next)
      expect(outcome(app.browser)).toBe("home")
      expect(await app.browser.session()).toMatchObject({ user: { email: "ada@example.test" } })
      expect(op.requestsTo("token")[0]?.form.get("redirect_uri")).toBe(`${redirectProxyUrl}/callback/op`)
    })

    test("the proxy sends an error on too", async () => {
      const op = createProvider()
      const { app, proxy } = await deployments(op, mode, { security })
      const at = await begin(app.browser)
      await proxy.browser.follow(await op.authorize(at, { error: "access_denied" }), op.issuer)
      await takeOn(app.browser, handedOn(proxy))
      expect(outcome(app.browser)).toBe("OAuthCallbackError")
    })

    const lists: readonly (readonly [readonly string[], boolean])[] = [
      [["https://a.preview.test"], true],
      [["https://*.preview.test"], true],
      [["https://b.preview.test", "https://a.preview.test"], true],
      [["https://*.test"], false],
      [["http://*.preview.test"], false],
      [["https://other.test"], false],
      [[], false],
    ]
    test.each(lists)("redirectProxyOrigins %o allows it: %o", async (redirectProxyOrigins, passes) => {
      const op = createProvider()
      const { proxy } = await throughProxy(op, { redirectProxyOrigins })
      if (passes) expect(handedOn(proxy).at.split("?")[0]).toBe(`${preview}/auth/callback/op`)
      else expect(outcome(proxy.browser)).toBe("Configuration")
      expect(proxy.browser.trail[0]?.status).toBeLessThan(400)
      if (!passes) expect(proxy.browser.text + proxy.browser.location).not.toContain("preview.test")
    })

    test("a state that wasn't sealed with the shared secret is refused", async () => {
      const op = createProvider()
      const { proxy } = await throughProxy(op, {})
      const foreign = await open([providerOf(op, mode)], {
        redirectProxyUrl,
        origin: "https://evil.test",
        secret: "another-secret-0123456789-abcdefghijklmnop-XYZ",
        security,
      })
      await proxy.browser.follow(await op.authorize(await begin(foreign.browser), { as: "ada" }), op.issuer)
      expect(outcome(proxy.browser)).toBe("InvalidCheck")
      expect(op.requestsTo("token")).toEqual([])
    })

    test("the proxy signs in its own users", async () => {
      const op = createProvider()
      const { proxy } = await deployments(op, mode, { security })
      await proxy.browser.signInWith(op, { as: "ada" })
      expect(outcome(proxy.browser)).toBe("home")
    })

    test("a callback that is sent on to another browser is refused", async () => {
      const op = createProvider()
      const { app, proxy } = await throughProxy(op)
      const victim = app.browser.fresh()
      await takeOn(victim, handedOn(proxy))
      expect(outcome(victim)).toBe("InvalidCheck")
      expect(op.requestsTo("token")).toEqual([])
    })
  },
)

test("a provider's own proxy takes precedence, and a trailing slash is ignored", async () => {
  const op = createProvider()
  const given = providerOf(op, "query", { redirectProxyUrl: "https://own.test/auth/" })
  const { browser } = await open([given], { redirectProxyUrl, origin: preview })
  expect((await begin(browser)).searchParams.get("redirect_uri")).toBe("https://own.test/auth/callback/op")
})

test("a proxy adds state to custom checks", async () => {
  const op = createProvider({
    faults: { authorize: (params) => Object.fromEntries(Object.entries(params).filter(([name]) => name !== "state")) },
  })
  const { browser } = await open([providerOf(op, "query", { checks: ["pkce"] })], { redirectProxyUrl, origin: preview })
  const answer = await op.authorize(await begin(browser), { as: "ada" })
  await browser.get(`/auth/callback/op${answer.method === "GET" ? new URL(answer.location).search : ""}`)
  expect(outcome(browser)).toBe("InvalidCheck")
})

test.each(["https://*", "https://a-*.preview.test", "*"])(
  "the pattern %s in redirectProxyOrigins is a configuration error",
  async (pattern) => {
    const op = createProvider()
    const { browser } = await open([op.provider()], { redirectProxyUrl, redirectProxyOrigins: [pattern] })
    await browser.get("/auth/signin")
    expect(browser.response.status).toBe(500)
  },
)

test("the log of a proxy says where a callback went, or why it was refused", async () => {
  const op = createProvider()
  const logged = async (options: AppOptions) => {
    const { app, proxy } = await deployments(op, "query", { debug: true, ...options })
    const at = await begin(app.browser)
    await proxy.browser.follow(await op.authorize(at, { as: "ada" }), op.issuer)
    return proxy.log.entries.map(({ message, detail }) => [message, detail])
  }
  expect(await logged({})).toContainEqual([
    "The redirect proxy forwards a response",
    { provider: "op", to: "https://a.preview.test" },
  ])
  const [refusal] = (await logged({ redirectProxyOrigins: [] })).filter(([message]) =>
    String(message).includes("serve"),
  )
  expect(refusal?.[0]).toBe(
    "The redirect proxy doesn't serve https://a.preview.test. Add it to `redirectProxyOrigins` if it's yours",
  )
  const { proxy } = await deployments(op, "query")
  await proxy.browser.get("/auth/callback/op?code=c&state=unsealed")
  const reason = "no deployment behind this proxy sealed its state"
  expect(proxy.log.entries.map(({ message }) => message).join()).toContain(reason)
})

test("a deployment that isn't the proxy sends nothing on", async () => {
  const op = createProvider()
  const { app } = await deployments(op, "query")
  const { app: other } = await deployments(op, "query", { origin: "https://b.preview.test" })
  const state = (await begin(other.browser)).searchParams.get("state") ?? ""
  await app.browser.get(`/auth/callback/op?${new URLSearchParams({ code: "c", state }).toString()}`)
  expect([outcome(app.browser), new URL(app.browser.location).origin]).toEqual(["InvalidCheck", preview])
})
