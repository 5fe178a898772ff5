import { Auth, createActionURL, withEnv } from "@latchkey/core"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { createProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { code, levels, logged, secret, servedOrigin } from "./setup.js"

type Row = readonly [
  what: string,
  config: Partial<AuthConfig>,
  headers: Record<string, string>,
  answer: string | number,
]

const own = "https://app.test/auth/providers"
const forwarded = { "x-forwarded-host": "front.test", "x-forwarded-proto": "https" }

const rows: readonly Row[] = [
  ["the request itself", {}, {}, "https://app.test"],
  ["forwarded headers of a trusted proxy", {}, forwarded, "https://front.test"],
  ["the first of several hosts", {}, { "x-forwarded-host": "front.test, inner.test" }, "https://front.test"],
  ["the first of several protocols", {}, { "x-forwarded-proto": "http,https" }, "http://app.test"],
  ["a host alone: the scheme stays", {}, { "x-forwarded-host": "front.test:8443" }, "https://front.test:8443"],
  ["an IPv6 address", {}, { "x-forwarded-host": "[::1]:3000" }, "https://[::1]:3000"],
  ["`url` before every header", { url: "https://real.test/auth" }, forwarded, "https://real.test"],
  ["`url` without any trust", { url: "https://real.test/auth", trustHost: false }, forwarded, "https://real.test"],
  ["the request rather than `Forwarded`", {}, { forwarded: "host=evil.test" }, "https://app.test"],
  ["an empty header says nothing", {}, { "x-forwarded-host": "" }, "https://app.test"],
  ["a listed host", { trustHost: ["app.test"] }, {}, "https://app.test"],
  ["a listed host whatever its letters", { trustHost: ["FRONT.test"] }, forwarded, "https://front.test"],
  [
    "a label under a wildcard",
    { trustHost: ["*.front.test"] },
    { "x-forwarded-host": "a.front.test" },
    "https://a.front.test",
  ],
  ["a listed origin", { trustHost: ["https://front.test"] }, forwarded, "https://front.test"],
  ["a host that is not listed", { trustHost: ["app.test"] }, { "x-forwarded-host": "evil.test" }, 400],
  ["a list of hosts: evil first", { trustHost: ["app.test"] }, { "x-forwarded-host": "evil.test, app.test" }, 400],
  ["two labels under a wildcard", { trustHost: ["*.front.test"] }, { "x-forwarded-host": "a.b.front.test" }, 400],
  ["the host of a wildcard itself", { trustHost: ["*.front.test"] }, forwarded, 400],
  ["a host that ends alike", { trustHost: ["front.test"] }, { "x-forwarded-host": "evilfront.test" }, 400],
  [
    "another scheme than the listed",
    { trustHost: ["https://front.test"] },
    { ...forwarded, "x-forwarded-proto": "http" },
    400,
  ],
  ["another port than the listed", { trustHost: ["front.test:8443"] }, { "x-forwarded-host": "front.test:9999" }, 400],
]

const malformed = [
  "app:443@evil.test",
  "evil.test/path",
  "evil.test?x",
  "evil.test#x",
  "evil.test\\x",
  "a b",
  "-",
  "app.test:port",
  "[::1",
]

describe("the origin of a response (HOST-01, HOST-04)", () => {
  test.each(rows)("comes from %s", async (_, rest, headers, answer) => {
    expect(await servedOrigin(logged(rest).config, own, headers)).toBe(answer)
  })

  test.each(malformed.map((host) => ({ "x-forwarded-host": host })))("is never made from %o", async (headers) => {
    const { config } = logged()
    const found = await servedOrigin(config, own, headers)
    expect(found).toEqual(expect.any(Number))
    expect(await servedOrigin(logged({ trustHost: ["app.test"] }).config, own, headers)).toBe(400)
  })

  test.each(["javascript", "ftp", "https://evil.test/?", "file", "wss"])(
    "is never of the scheme %s",
    async (scheme) => {
      const headers = { "x-forwarded-proto": scheme }
      expect(await servedOrigin(logged().config, own, headers)).toEqual(expect.any(Number))
      expect(await servedOrigin(logged({ trustHost: ["app.test"] }).config, own, headers)).toBe(400)
    },
  )

  test("without `url` and `trustHost` every host is refused: the reason is logged, not sent", async () => {
    const { config, log } = logged({ trustHost: undefined })
    const response = await Auth(new Request(own), config)
    expect(response.status).toBe(500)
    expect(await response.text()).not.toMatch(/AUTH_URL|trustHost/)
    expect(levels(log)).toEqual([expect.stringMatching(/AUTH_URL.*trustHost/)])
  })

  test("decides the cookie prefixes", async () => {
    const { config } = logged({ url: "https://real.test/auth" })
    const response = await Auth(new Request("http://10.0.0.7/auth/csrf"), config)
    expect(response.headers.getSetCookie()[0]).toMatch(/^__Host-authjs\.csrf-token=.*; Secure/)
  })
})

const spoofed = { "x-forwarded-host": "evil.test", "x-forwarded-proto": "http", host: "evil.test" }

describe("`url` takes precedence everywhere (HOST-04)", () => {
  const op = createProvider()
  const { config } = logged({
    url: "https://real.test/auth",
    trustHost: ["other.test"],
    providers: [op.provider(), code],
  })
  const at = { headers: new Headers(spoofed), origin: "http://evil.test" }

  test("server: signIn to a page", async () => {
    expect((await createServer(config).signIn(at)).to).toBe("https://real.test/auth/signin")
  })

  test("server: signIn at a provider returns to it", async () => {
    const { to } = await createServer(config).signIn(at, "op")
    expect(new URL(to).searchParams.get("redirect_uri")).toBe("https://real.test/auth/callback/op")
  })

  test.each([
    ["/here", "https://real.test/here"],
    ["https://evil.test/there", "https://real.test"],
  ])("server: signOut to %s", async (redirectTo, to) => {
    expect((await createServer(config).signOut(at, { redirectTo })).to).toBe(to)
  })

  test.each([
    ["/auth/signout", "post", "https://real.test/auth/signin?error=MissingCSRF"],
    ["/auth/callback/op?code=1&state=2", "get", "https://real.test/auth/error?error=Configuration&code=InvalidCheck"],
  ])("Auth: the redirect of %s", async (path, method, to) => {
    const response = await Auth(new Request(`http://evil.test${path}`, { method, headers: spoofed }), config)
    expect(response.headers.get("location")).toBe(to)
  })

  test("createActionURL", () => {
    const address = createActionURL("signin", "http", new Headers(spoofed), {}, { url: "https://real.test/auth" })
    expect(address.href).toBe("https://real.test/auth/signin")
  })
})

describe("`trustHost` from the environment (HOST-02)", () => {
  const base = { AUTH_SECRET: secret }
  test.each([
    [{ AUTH_TRUST_HOST: "true" }, "https://evil.test"],
    [{ AUTH_TRUST_HOST: "1" }, "https://evil.test"],
    [{ AUTH_TRUST_HOST: "false" }, 500],
    [{ AUTH_TRUST_HOST: "0" }, 500],
    [{ AUTH_TRUST_HOST: "" }, 500],
    [{ AUTH_TRUST_HOST: "app.test" }, 400],
    [{ AUTH_TRUST_HOST: "app.test, evil.test" }, "https://evil.test"],
    [{}, 500],
    [{ NODE_ENV: "production" }, 500],
    [{ NODE_ENV: "development" }, "https://evil.test"],
    [{ NODE_ENV: "production", VERCEL: "1" }, "https://evil.test"],
    [{ NODE_ENV: "production", VERCEL: "0" }, 500],
    [{ NODE_ENV: "production", CF_PAGES: "1" }, "https://evil.test"],
    [{ AUTH_URL: "https://real.test" }, "https://real.test"],
    [{ NEXTAUTH_URL: "https://real.test/auth" }, "https://real.test"],
    [{ AUTH_URL: "https://real.test/auth", AUTH_TRUST_HOST: "true" }, "https://real.test"],
  ])("%o answers a foreign host with %s", async (env, answer) => {
    const { log } = logged()
    const config = withEnv({ providers: [code], logger: log.logger }, { ...base, ...env })
    expect(await servedOrigin(config, "https://evil.test/auth/providers")).toBe(answer)
  })

  test("`withEnv` gives Auth the secret, the path and the clients of providers", async () => {
    const op = { id: "my-op", name: "OP", type: "oidc", issuer: "https://op.test" } as const
    const given = Object.freeze({ providers: [op], logger: logged().log.logger })
    const env = { ...base, AUTH_URL: "https://real.test/api/login", AUTH_MY_OP_ID: "client-7", AUTH_MY_OP_SECRET: "s" }
    const config = withEnv(given, env)
    expect(withEnv(given, env)).toBe(config)
    const response = await Auth(new Request("https://real.test/api/login/providers"), config)
    expect(await response.json()).toMatchObject({ "my-op": { signinUrl: "https://real.test/api/login/signin/my-op" } })
    expect(config.providers[0]).toMatchObject({ clientId: "client-7" })
  })
})
