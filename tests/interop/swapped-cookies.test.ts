import type { CookieOptions, CookiesOptions } from "@latchkey/core/types"
import { type Browser, createProvider, visit } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { byName, published, secret } from "./applications.js"

type Key = "sessionToken" | "callbackUrl" | "csrfToken" | "pkceCodeVerifier" | "state" | "nonce"

const keys: readonly Key[] = ["sessionToken", "callbackUrl", "csrfToken", "pkceCodeVerifier", "state", "nonce"]

/** Attributes that an application can configure, and what the browser gets. */
const attributes: readonly (readonly [options: CookieOptions, attribute: string, isSent: boolean])[] = [
  [{ domain: "example.test" }, "Domain=example.test", true],
  [{ path: "/auth" }, "Path=/auth", true],
  [{ sameSite: "strict" }, "SameSite=Strict", true],
  [{ sameSite: "none", secure: true }, "SameSite=None", true],
  [{ sameSite: true }, "SameSite=Strict", true],
  [{ sameSite: false }, "SameSite=Lax", false],
  [{ secure: false }, "Secure", false],
  [{ httpOnly: false }, "HttpOnly", false],
  [{ maxAge: 77 }, "Max-Age=77", true],
  [{ partitioned: true, secure: true }, "Partitioned", true],
  [{ priority: "high" }, "Priority=High", true],
]

const origin = "https://app.example.test"

interface Applications {
  readonly theirs: Browser
  readonly ours: Browser
}

async function applications(cookies: CookiesOptions): Promise<Applications> {
  const { issuer, clientId, clientSecret } = createProvider()
  const checks: ("pkce" | "state" | "nonce")[] = ["pkce", "state", "nonce"]
  const authorization = `${issuer}/authorize`
  const op = { id: "op", name: "Op", type: "oidc" as const, issuer, authorization, clientId, clientSecret, checks }
  const ours = await visit({ secret, cookies, providers: [byName, op] }, { origin })
  const mutable = structuredClone(cookies) as Parameters<typeof published>[0]["cookies"]
  const theirs = published({ secret, ...(mutable && { cookies: mutable }), providers: [byName, op] }, ours.fresh())
  return { theirs, ours }
}

/** The `Set-Cookie` lines of a sign-in with a password and the start of one at a provider. */
async function linesOf(browser: Browser): Promise<readonly string[]> {
  const token = await browser.fetch("/auth/csrf")
  const { csrfToken } = JSON.parse(await token.clone().text()) as { csrfToken: string }
  const fields = { csrfToken, callbackUrl: "/account", name: "Ada" }
  await browser.post("/auth/signin/op", fields)
  const started = [...browser.trail]
  await browser.post("/auth/callback/credentials", fields)
  return [token, ...started, ...browser.trail].flatMap(({ headers }) => headers.getSetCookie())
}

/** The line that sets a cookie, by its name. */
function lineOf(lines: readonly string[], name: string): string[] {
  const line = lines.find((each) => each.startsWith(`${name}=`) && !each.startsWith(`${name}=;`))
  if (line === undefined) throw new Error(`No response sets ${name}: ${lines.join("\n")}`)
  return line.split("; ").slice(1)
}

const cases = keys.flatMap((key) => attributes.map(([options, ...rest]) => [key, options, ...rest] as const))

test.each(cases)(
  "`cookies.%s.options` %j is honored as in @auth/core: %s %s",
  async (key, options, attribute, isSent) => {
    const { theirs, ours } = await applications({ [key]: { name: `my-${key}`, options } })
    for (const browser of [theirs, ours]) {
      expect(lineOf(await linesOf(browser), `my-${key}`).includes(attribute)).toBe(isSent)
    }
  },
)

test.each<CookieOptions>([
  { sameSite: "strict" },
  { sameSite: "none", secure: false },
  { path: "/elsewhere" },
  { domain: "other.test" },
])("options of a cookie that @auth/core doesn't set for a provider don't break its sign-in: %j", async (options) => {
  for (const key of ["state", "nonce"] as const) {
    const op = createProvider()
    const cookies = { [key]: { options } }
    const browser = await visit({ secret, cookies, providers: [op.oauthProvider()] }, { origin })
    await browser.signInWith(op, { as: "ada" })
    expect(await browser.session()).toMatchObject({ user: { email: "ada@example.test" } })
  }
})

describe("a callback on another subdomain", () => {
  const callback = "https://auth.example.test"
  const options = { domain: "example.test" }

  async function subdomains(cookies: CookiesOptions, checks: readonly ("pkce" | "state" | "nonce")[]) {
    const op = createProvider()
    const authorization = { params: { redirect_uri: `${callback}/auth/callback/op` } }
    const redirect = ({ url }: { url: string }) => url
    const config = { secret, cookies, callbacks: { redirect }, providers: [op.provider({ checks, authorization })] }
    const app = await visit(config, { origin })
    const other = await visit(config, { origin: callback })
    return { op, app, other }
  }

  test.each<{ cookies: CookiesOptions; checks: readonly ("pkce" | "state" | "nonce")[] }>([
    { checks: ["pkce"], cookies: { pkceCodeVerifier: { options } } },
    { checks: ["pkce"], cookies: { pkceCodeVerifier: { name: "verifier", options } } },
    { checks: ["nonce"], cookies: { nonce: { name: "nonce", options } } },
    { checks: ["state"], cookies: { state: { options } } },
    { checks: ["state", "pkce"], cookies: { state: { options }, pkceCodeVerifier: { options } } },
    { checks: ["state", "nonce"], cookies: { state: { options }, nonce: { options } } },
  ])("finds its sign-in by the domain of the cookies of its checks: %j", async ({ cookies, checks }) => {
    const shared = { sessionToken: { options }, callbackUrl: { options } }
    const { op, app, other } = await subdomains({ ...shared, ...cookies }, checks)
    await app.signIn("op", { callbackUrl: `${origin}/account` })
    const answer = await op.authorize(app.location, { as: "ada" })
    for (const cookie of app.cookies) if (cookie.domain === "example.test") other.jar.put(cookie)
    await other.follow(answer, op.issuer)
    expect(other.location).toBe(`${origin}/account`)
    for (const cookie of other.cookies) app.jar.put(cookie)
    expect(await app.session()).toMatchObject({ user: { email: "ada@example.test" } })
    const names = other.cookies.map(({ name }) => name)
    expect(names.filter((name) => /state|pkce|nonce|verifier/.test(name))).toEqual([])
  })

  test("doesn't find it by the domain of a cookie that its checks don't use", async () => {
    const { op, app, other } = await subdomains({ nonce: { options } }, ["pkce"])
    await app.signIn("op")
    const answer = await op.authorize(app.location, { as: "ada" })
    for (const cookie of app.cookies) if (cookie.domain === "example.test") other.jar.put(cookie)
    await other.follow(answer, op.issuer)
    expect(await other.session()).toBeNull()
  })
})
