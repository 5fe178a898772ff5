import { Auth, withEnv } from "@latchkey/core"
import { createServer } from "@latchkey/core/server"
import type { AuthConfig } from "@latchkey/core/types"
import { createProvider } from "@latchkey/testing"
import { expect } from "vitest"
import { attack, type Mode, strictAttack } from "../../../../tests/attack.js"
import { location, origin, secret } from "../http/app.js"
import { code, logged, servedOrigin } from "../server/setup.js"
import { cookiesOf, door } from "./door-setup.js"

const evil: readonly Record<string, string>[] = [
  { "x-forwarded-host": "evil.test" },
  { "x-forwarded-host": "evil.test, app.test" },
  { "x-forwarded-host": "evil.test,app.test" },
  { "x-forwarded-host": "app.test:443@evil.test" },
  { "x-forwarded-host": "app.test@evil.test" },
  { "x-forwarded-host": "app.test/../evil.test" },
  { "x-forwarded-host": "app.test#evil.test" },
  { "x-forwarded-host": "app.test:80:90" },
  { "x-forwarded-host": "app.test.evil.test" },
  { "x-forwarded-host": "app.test:99999" },
  { "x-forwarded-host": "[::1]@evil.test" },
  { "x-forwarded-proto": "javascript" },
  { "x-forwarded-proto": "data:text/html" },
  { "x-forwarded-proto": "https://evil.test/?" },
  { "x-forwarded-proto": "wss, https" },
  { "x-forwarded-host": "evil.test", "x-forwarded-proto": "https,http" },
]

function listed(mode: Mode, rest: Partial<AuthConfig> = {}): AuthConfig {
  return logged({ security: mode, secret, trustHost: ["https://app.test"], ...rest }).config
}

attack("HOST-01", "a host that is not listed gets 400, and the response does not contain it", async (mode) => {
  const config = listed(mode)
  const paths = ["signin", "signout", "error", "providers", "csrf", "session", "callback/credentials"]
  for (const headers of evil) {
    for (const path of paths) {
      const response = await Auth(new Request(`${origin}/auth/${path}`, { headers }), config)
      const why = `${path} ${JSON.stringify(headers)}`
      expect([response.status, response.headers.getSetCookie(), location(response)], why).toEqual([400, [], null])
      expect(await response.text()).not.toContain("evil")
    }
  }
  for (const own of [
    "https://evil.test",
    "http://app.test",
    "https://app.test:444",
    "https://app.test.",
    "https://[::1]",
  ])
    expect(await servedOrigin(config, `${own}/auth/providers`), own).toBe(400)
})

attack("HOST-01", "with `trustHost: true` an ambiguous host is still refused", async (mode) => {
  const { config } = logged({ security: mode, secret, trustHost: true })
  const odd = evil.filter((headers) => /[@/#]|:\d+:|9{5}|javascript|data:|wss/.test(Object.values(headers).join()))
  expect(odd.length).toBeGreaterThan(9)
  for (const headers of odd) {
    const answer = await servedOrigin(config, `${origin}/auth/providers`, headers)
    // Strict mode requires a list of hosts, so every request fails with 500.
    expect(answer, JSON.stringify(headers)).toBe(mode === "strict" ? 500 : 400)
  }
})

attack("HOST-01", "of several forwarded hosts the first counts, and only if it is listed", async (mode) => {
  const config = listed(mode)
  const inner = "http://10.0.0.7:3000/auth/providers"
  const proto = { "x-forwarded-proto": "https" }
  for (const [headers, answer] of [
    [{ ...proto, "x-forwarded-host": "app.test" }, origin],
    [{ ...proto, "x-forwarded-host": "app.test, evil.test" }, origin],
    [{ ...proto, "x-forwarded-host": "APP.test:443" }, origin],
    [{ "x-forwarded-proto": "https, http", "x-forwarded-host": "app.test" }, origin],
    [{ "x-forwarded-proto": "http, https", "x-forwarded-host": "app.test" }, 400],
    [{ ...proto, "x-forwarded-host": ", app.test" }, 400],
    [{ ...proto, forwarded: "host=app.test" }, 400],
    [{ ...proto, "x-host": "app.test", "x-original-host": "app.test" }, 400],
    [{ ...proto, host: "app.test" }, 400],
  ] as const) {
    expect(await servedOrigin(config, inner, headers), JSON.stringify(headers)).toBe(answer)
  }
  const forwarded = { forwarded: "for=1.1.1.1;host=evil.test;proto=http", "x-forwarded-server": "evil.test" }
  expect(await servedOrigin(config, `${origin}/auth/providers`, forwarded)).toBe(origin)
})

attack("HOST-01", "without `trustHost` forwarded headers are ignored and no host is served", async (mode) => {
  for (const trustHost of [undefined, false] as const) {
    const { config } = logged({ security: mode, secret, trustHost })
    for (const headers of [{}, ...evil]) {
      for (const path of ["providers", "signin", "session"]) {
        const response = await Auth(new Request(`${origin}/auth/${path}`, { headers }), config)
        expect([response.status, response.headers.getSetCookie()]).toEqual([500, []])
        expect(await response.text()).not.toContain("evil")
      }
      const fixed = { ...config, url: `${origin}/auth` }
      expect(await servedOrigin(fixed, "http://evil.test/auth/providers", headers)).toBe(origin)
    }
  }
})

strictAttack("HOST-01", "origin", "`trustHost: true` is refused when only listed hosts are served", async () => {
  for (const environment of ["production", undefined] as const) {
    const { config } = logged({ security: "strict", secret, trustHost: true, environment })
    expect(await servedOrigin(config, `${origin}/auth/providers`)).toBe(500)
  }
  const { config } = logged({ security: "strict", secret, trustHost: true, environment: "development" })
  expect(await servedOrigin(config, `${origin}/auth/providers`)).toEqual(expect.any(Number))
  expect(await servedOrigin(config, "http://localhost:3000/auth/providers")).toBe("http://localhost:3000")
})

const untrusting: readonly Record<string, string>[] = [
  { AUTH_TRUST_HOST: "false" },
  { AUTH_TRUST_HOST: "FALSE" },
  { AUTH_TRUST_HOST: "0" },
  { AUTH_TRUST_HOST: "no" },
  { AUTH_TRUST_HOST: "off" },
  { AUTH_TRUST_HOST: "" },
  { AUTH_TRUST_HOST: " " },
  { AUTH_TRUST_HOST: ",," },
  { AUTH_TRUST_HOST: "app.test" },
  { AUTH_TRUST_HOST: "*.app.test" },
  { AUTH_TRUST_HOST: "false", NODE_ENV: "development" },
  { AUTH_TRUST_HOST: "false", VERCEL: "1" },
  {},
  { NODE_ENV: "" },
  { NODE_ENV: "production" },
  { NODE_ENV: "production", VERCEL: "0" },
  { CF_PAGES: "false" },
]

attack(
  "HOST-02",
  "neither a negative AUTH_TRUST_HOST nor an unset NODE_ENV makes a foreign host trusted",
  async (mode) => {
    for (const env of untrusting) {
      const { log } = logged()
      const given = { security: mode, providers: [code], logger: log.logger }
      const config = withEnv(given, { AUTH_SECRET: secret, ...env })
      for (const path of ["signin", "signin?callbackUrl=https://evil.test/x", "csrf", "providers", "error"]) {
        const request = new Request(`https://evil.test/auth/${path}`, { headers: { host: "evil.test" } })
        const response = await Auth(request, config)
        expect([400, 500], JSON.stringify(env)).toContain(response.status)
        expect([response.headers.getSetCookie(), location(response)]).toEqual([[], null])
        expect(await response.text(), JSON.stringify(env)).not.toContain("evil")
      }
    }
  },
)

attack("HOST-02", "AUTH_URL takes precedence over every trust setting", async (mode) => {
  for (const trust of ["true", "1", "false", "evil.test", ""]) {
    const env = { AUTH_SECRET: secret, AUTH_URL: `${origin}/auth`, AUTH_TRUST_HOST: trust }
    const config = withEnv({ security: mode, providers: [code], logger: logged().log.logger }, env)
    expect(await servedOrigin(config, "https://evil.test/auth/providers"), trust).toBe(origin)
  }
})

const spoofed = { "x-forwarded-host": "evil.test", "x-forwarded-proto": "http", host: "evil.test", origin }

attack("HOST-04", "with AUTH_URL no response, link, cookie or provider request contains another host", async (mode) => {
  const { send, post, get, mails, op } = door(mode, {}, "http://evil.test")
  const begun = await post("/auth/signin/op", { callbackUrl: "/a" }, spoofed)
  expect(new URL(location(begun) ?? "").searchParams.get("redirect_uri")).toBe(`${origin}/auth/callback/op`)
  const answer = await op.authorize(location(begun) ?? "", { as: "ada" })
  const back = (answer.method === "GET" ? answer.location : "").slice(origin.length)
  const mailed = await post("/auth/signin/mail", { email: "ada@app.test", callbackUrl: "/a" }, spoofed)
  expect(mails[0]).toMatch(/^https:\/\/app\.test\/auth\/callback\/mail\?callbackUrl=https%3A%2F%2Fapp\.test%2Fa/)
  const responses = [
    begun,
    mailed,
    await get(back, { ...spoofed, cookie: cookiesOf(begun) }),
    await get((mails[0] ?? "").slice(origin.length), { ...spoofed, cookie: cookiesOf(mailed) }),
    await get("/auth/callback/op?code=1&state=2", spoofed),
    await post("/auth/callback/credentials", { name: "ada", password: "open", callbackUrl: "/a" }, spoofed),
    await post("/auth/callback/credentials", { name: "ada", password: "wrong" }, spoofed),
    await post("/auth/signout", { callbackUrl: "/a" }, spoofed),
    await send("/auth/signout", { method: "POST", headers: spoofed }),
    ...(await Promise.all(
      ["signin", "signout", "error", "verify-request", "csrf", "providers"].map((path) =>
        get(`/auth/${path}`, spoofed),
      ),
    )),
  ]
  expect(op.requestsTo("token")[0]?.form.get("redirect_uri")).toBe(`${origin}/auth/callback/op`)
  for (const response of responses) {
    const text = `${[...response.headers].flat().join(" ")} ${await response.text()}`
    expect(text).not.toContain("evil.test")
    for (const line of response.headers.getSetCookie()) expect(line).toMatch(/^__(?:Host|Secure)-.*; Secure/)
  }
})

attack("HOST-04", "with AUTH_URL the server functions use no other host either", async (mode) => {
  const op = createProvider()
  const { config } = logged({ security: mode, secret, url: `${origin}/auth`, providers: [op.provider(), code] })
  const server = createServer(config)
  for (const at of [{ headers: new Headers(spoofed), origin: "http://evil.test" }, { headers: new Headers(spoofed) }]) {
    expect((await server.signIn(at)).to).toBe(`${origin}/auth/signin`)
    expect(new URL((await server.signIn(at, "op")).to).searchParams.get("redirect_uri")).toContain(`${origin}/auth/`)
    expect((await server.signOut(at, { redirectTo: "/x" })).to).toBe(`${origin}/x`)
    expect((await server.signOut(at, { redirectTo: "http://evil.test/x" })).to).toBe(origin)
    expect((await server.session(at)).session).toBeNull()
  }
})

attack("ADV-BA-06", "the host and path of the first request are not reused for later requests", async (mode) => {
  const config = listed(mode, mode === "compatible" ? { trustHost: true } : {})
  const foreign = mode === "compatible" ? 404 : [400, 404]
  for (const first of [
    "http://evil.test/x/y/auth/session",
    "https://evil.test//auth/session",
    "https://app.test/x/auth/session",
  ]) {
    const response = await Auth(new Request(first, { headers: { "x-forwarded-prefix": "/x/y" } }), config)
    expect([foreign].flat()).toContain(response.status)
  }
  await Auth(new Request("http://evil.test/auth/signin", { headers: { "x-forwarded-host": "evil.test" } }), config)
  expect(await servedOrigin(config, `${origin}/auth/providers`)).toBe(origin)
  const second = await Auth(new Request(`${origin}/auth/session`), config)
  expect([second.status, await second.json()]).toEqual([200, null])
  expect(await (await Auth(new Request(`${origin}/auth/signin`), config)).text()).not.toContain("evil")
})
