import { encode } from "@latchkey/core/jwt"
import type { AuthConfig, JWT } from "@latchkey/core/types"
import { type Browser, createProvider, type FakeProvider } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode, strictAttack } from "../../../../tests/attack.js"
import { begin, open, outcome, secret } from "../flows/oauth/app.js"

const redirectProxyUrl = "https://proxy.test/auth"
const team = ["https://*.preview.test"]

async function deployment(op: FakeProvider, mode: Mode, origin: string, rest: Partial<AuthConfig> = {}) {
  const { providers: _, adapter: __, logger: ___, ...more } = rest
  return open([op.provider()], { security: mode, redirectProxyUrl, origin, ...more })
}

/** The user consents at this URL, and the provider redirects to the proxy. */
async function answered(op: FakeProvider, proxy: Browser, at: URL): Promise<void> {
  await proxy.follow(await op.authorize(at, { as: "ada" }), op.issuer)
}

function expectStopped(op: FakeProvider, { browser }: { readonly browser: Browser }): void {
  expect(["Configuration", "InvalidCheck"]).toContain(outcome(browser))
  expect(new URL(browser.location).origin).toBe("https://proxy.test")
  expect(browser.location + browser.text).not.toContain("evil")
  expect([
    op.requestsTo("token"),
    browser.location.includes("code=InvalidCheck") || !browser.location.includes("code="),
  ]).toEqual([[], true])
}

attack("HOST-03", "a preview serves listed hosts only, so no other host gets into a state", async (mode) => {
  const op = createProvider()
  for (const origin of ["https://evil.test", "https://a.preview.test.evil.test", "https://a.b.preview.test"]) {
    const { browser } = await deployment(op, mode, origin, { trustHost: ["*.preview.test"] })
    expect((await browser.fetch("/auth/signin/op", { method: "POST" })).status, origin).toBe(400)
  }
  expect(op.authorizations).toEqual([])
})

attack("HOST-03", "the proxy passes codes to listed origins only, whatever the state contains", async (mode) => {
  for (const origin of [
    "https://evil.test",
    "https://a.preview.test.evil.test",
    "https://a.b.preview.test",
    "https://preview.test",
  ]) {
    const op = createProvider()
    const preview = await deployment(op, mode, origin, { trustHost: [new URL(origin).host] })
    const proxy = await deployment(op, mode, "https://proxy.test", { redirectProxyOrigins: team })
    await answered(op, proxy.browser, await begin(preview.browser))
    expectStopped(op, proxy)
    expect(proxy.log.entries.some(({ level, message }) => level === "error" && message.includes(origin))).toBe(true)
  }
})

attack("HOST-03", "a listed preview gets its code once: repeated, it is refused", async (mode) => {
  const op = createProvider()
  const preview = await deployment(op, mode, "https://a.preview.test")
  const proxy = await deployment(op, mode, "https://proxy.test", { redirectProxyOrigins: team })
  await answered(op, proxy.browser, await begin(preview.browser))
  const handedOn = proxy.browser.location
  const jar = preview.browser.cookies
  await preview.browser.get(handedOn, { from: "https://proxy.test" })
  expect(outcome(preview.browser)).toBe("home")
  for (const cookie of jar) if (cookie.name.includes("state")) preview.browser.jar.put(cookie)
  await preview.browser.get(handedOn, { from: "https://proxy.test" })
  expect(outcome(preview.browser)).toBe("InvalidCheck")
})

/** A deployment behind the proxy that serves any host a request names. */
async function reached(op: FakeProvider, mode: Mode, host: string, rest: Partial<AuthConfig> = {}) {
  const security = mode === "strict" ? ({ mode, listedOriginsOnly: false } as const) : mode
  return deployment(op, mode, `https://${host}`, { trustHost: true, security, ...rest })
}

const foreign = ["evil.test", "a.preview.test.evil.test", "proxy.test.evil.test", "evil.vercel.app", "localhost:3000"]

attack("HOST-03", "with `trustHost: true` no state is sealed for a host that only the request names", async (mode) => {
  for (const host of foreign) {
    for (const rest of [
      {},
      { redirectProxyOrigins: team },
      { deploymentOrigins: ["https://app-team.vercel.app"] },
      { redirectProxyOrigins: [] },
    ]) {
      const op = createProvider()
      const { browser, log } = await reached(op, mode, host, rest)
      const { origin, searchParams } = await begin(browser)
      expect([host, origin, searchParams.get("error"), searchParams.has("state")]).toEqual([
        host,
        `https://${host}`,
        "Configuration",
        false,
      ])
      expect(browser.cookies.filter(({ name }) => name.includes("state"))).toEqual([])
      const errors = log.entries.filter(({ level }) => level === "error")
      expect(errors.map(({ message }) => message)).toEqual([expect.stringContaining("redirectProxyOrigins")])
      expect(op.authorizations).toEqual([])
    }
  }
})

attack("HOST-03", "a header of the platform does not make a foreign host a deployment", async (mode) => {
  const deploymentOrigins = ["https://app-x1-team.vercel.app"]
  for (const [name, value] of [
    ["x-vercel-deployment-url", "evil.test"],
    ["x-vercel-deployment-url", ""],
    ["x-vercel-id", "app-x1-team.vercel.app"],
    ["x-forwarded-host", "evil.test"],
  ] as const) {
    const op = createProvider()
    const { browser } = await reached(op, mode, "evil.test", { deploymentOrigins })
    const answer = await browser.fetch("/auth/signin/op", { method: "POST", headers: { [name]: value } })
    expect(answer.url.includes("op.test")).toBe(false)
    expect(op.requestsTo("token")).toEqual([])
  }
})

attack("HOST-03", "a deployment that is named uses the proxy, which sends the code back", async (mode) => {
  const origin = "https://a.preview.test"
  const ways: readonly Partial<AuthConfig>[] = [
    { url: `${origin}/auth` },
    { trustHost: ["a.preview.test"] },
    { trustHost: ["*.preview.test"] },
    { redirectProxyOrigins: team },
    { redirectProxyOrigins: ["*.preview.test"] },
    { deploymentOrigins: [origin] },
    { deploymentOrigins: ["https://*.preview.test"] },
  ]
  for (const way of ways) {
    const op = createProvider()
    const preview = await reached(op, mode, "a.preview.test", way)
    const proxy = await deployment(op, mode, "https://proxy.test")
    await answered(op, proxy.browser, await begin(preview.browser))
    await preview.browser.get(proxy.browser.location, { from: "https://proxy.test" })
    expect([way, outcome(preview.browser)]).toEqual([way, "home"])
  }
})

attack("HOST-03", "a missing list is one warning at startup", async (mode) => {
  const { browser, log } = await reached(createProvider(), mode, "evil.test")
  await browser.get("/auth/signin")
  await browser.get("/auth/signin")
  const warned = log.entries.filter(({ message }) => message === "redirect-proxy-hosts")
  expect(warned.map(({ level }) => level)).toEqual(["warn"])
})

strictAttack("HOST-03", "origin", "a preview with `trustHost: true` does not start", async () => {
  const op = createProvider()
  const { browser } = await deployment(op, "strict", "https://evil.test", { trustHost: true })
  expect((await browser.fetch("/auth/signin")).status).toBe(500)
})

const target = "https://evil.test/auth/callback/op"

/** Values that are encrypted with the shared secret and whose content an attacker can influence. */
async function sealedValues(mode: Mode): Promise<readonly string[]> {
  const op = createProvider()
  const jwt = ({ token }: { token: JWT }) => ({ ...token, origin: target, random: "x" })
  const session = { strategy: "jwt" } as const
  const preview = await deployment(op, mode, "https://a.preview.test", { callbacks: { jwt }, session })
  const at = await begin(preview.browser, "op", { login_hint: target })
  await answered(op, preview.browser, at).catch(() => undefined)
  const own = await open([op.provider()], {
    security: mode,
    origin: "https://a.preview.test",
    callbacks: { jwt },
    session,
  })
  await own.browser.signInWith(op, { as: "ada", fields: { callbackUrl: `/?origin=${target}` } })
  const cookies = [...preview.browser.cookies, ...own.browser.cookies].map(({ value }) => decodeURIComponent(value))
  const token = { origin: target, random: "x", sub: "1" }
  const salts = ["__Host-authjs.session-token", "__Secure-authjs.session-token", "authjs.state", "email link", ""]
  const tokens = await Promise.all(salts.map((salt) => encode({ token, secret, salt })))
  return [...cookies, ...tokens].filter((value) => value.startsWith("ey"))
}

attack("ADV-BA-15", "the proxy accepts no value that was encrypted for another purpose as a state", async (mode) => {
  const values = await sealedValues(mode)
  expect(values.length).toBeGreaterThan(6)
  for (const redirectProxyOrigins of [undefined, ["https://evil.test"], team]) {
    for (const state of values) {
      const op = createProvider()
      const proxy = await deployment(op, mode, "https://proxy.test", { redirectProxyOrigins })
      await proxy.browser.get(`/auth/callback/op?${new URLSearchParams({ code: "stolen", state, iss: op.issuer })}`)
      expect(outcome(proxy.browser)).toBe("InvalidCheck")
      expectStopped(op, proxy)
    }
  }
})

attack("ADV-BA-15", "the state of a preview is not accepted as session, flow cookie or link", async (mode) => {
  const op = createProvider()
  const preview = await deployment(op, mode, "https://a.preview.test", { session: { strategy: "jwt" } })
  const state = (await begin(preview.browser)).searchParams.get("state") ?? ""
  expect(state).toMatch(/^ey/)
  const names = ["session-token", `state.${state.slice(-10)}`, "nonce.x", "csrf-token"]
  for (const prefix of ["__Host-", "__Secure-"]) {
    const cookie = names.map((name) => `${prefix}authjs.${name}=${state}`).join("; ")
    const proxy = await deployment(op, mode, "https://proxy.test", { session: { strategy: "jwt" } })
    const read = await proxy.browser.fetch("/auth/session", { headers: { cookie } })
    expect(await read.json()).toBeNull()
    const path = `/auth/callback/op?${new URLSearchParams({ code: "x", state, iss: op.issuer })}`
    const answer = await proxy.browser.fetch(path, { headers: { cookie } }).catch(() => undefined)
    expect(answer?.headers.getSetCookie().filter((line) => line.includes("session-token=ey")) ?? []).toEqual([])
    expect(op.requestsTo("token")).toEqual([])
  }
})
