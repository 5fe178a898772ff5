import { customFetch } from "@latchkey/core"
import { createProvider, frozenClock, faults } from "@latchkey/testing"
import type { Answer } from "@latchkey/testing"
import { decodeJwt, decodeProtectedHeader } from "jose"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { begin, open, outcome } from "../flows/oauth/app.js"
import { expectRefused, metadata, tokens } from "./oauth-setup.js"

const form = "application/x-www-form-urlencoded"
const html = "text/html"

const noTokens: readonly (readonly [string, () => Response])[] = [
  ["an error", () => Response.json({ error: "bad_verification_code" })],
  ["an error beside tokens", () => Response.json({ error: "x", access_token: "at", token_type: "bearer" })],
  ["an error that is an object", () => Response.json({ error: { message: "no" }, access_token: "at" })],
  ["an error as a form", () => new Response("error=bad&access_token=at", { headers: { "content-type": form } })],
  ["nothing", () => Response.json({})],
  ["null", () => Response.json(null)],
  ["a list", () => Response.json([{ access_token: "at", token_type: "bearer" }])],
  ["the token undefined", () => Response.json({ token_type: "bearer" })],
  ["the token null", () => Response.json({ access_token: null, token_type: "bearer" })],
  ["an empty token", () => Response.json({ access_token: "", token_type: "bearer" })],
  ["an object for a token", () => Response.json({ access_token: {}, token_type: "bearer" })],
  ["a page", () => new Response("<title>Sign in</title>", { headers: { "content-type": html } })],
  ["an empty body", () => new Response("")],
  ["status 201", () => Response.json({ access_token: "at", token_type: "bearer" }, { status: 201 })],
  ["status 206", () => Response.json({ access_token: "at", token_type: "bearer" }, { status: 206 })],
]

attack("OAUTH-03", "a token response without an access token is refused before the userinfo request", async (mode) => {
  for (const [, answer] of noTokens) {
    const op = createProvider({ faults: { token: answer } })
    const app = await open([op.oauthProvider()], { security: mode })
    await app.browser.signInWith(op, { as: "ada" })
    await expectRefused(app, "Configuration")
    expect([op.requestsTo("token").length, op.requestsTo("userinfo")]).toEqual([1, []])
  }
})

attack("OAUTH-04", "a redirect of the token endpoint is not followed with code or secret", async (mode) => {
  for (const status of [301, 302, 303, 307, 308]) {
    for (const location of ["https://evil.test/collect", "https://op.test/elsewhere", "//evil.test", "/token?again"]) {
      const op = createProvider({ faults: { token: () => new Response(null, { status, headers: { location } }) } })
      const app = await open([op.oauthProvider()], { security: mode })
      await app.browser.signInWith(op, { as: "ada" })
      await expectRefused(app, "Configuration")
      expect(op.requests.map(({ endpoint }) => endpoint)).toEqual(["token"])
      expect(app.browser.location).not.toContain("evil")
    }
  }
})

attack("OAUTH-04", "a response of a `fetch` that followed a redirect is refused", async (mode) => {
  const op = createProvider()
  const given = op.oauthProvider({
    [customFetch]: async (input: string | URL | Request, init?: RequestInit) => {
      const response = await op.fetch(input, { ...init, redirect: "follow" })
      return Object.defineProperty(response, "redirected", { value: true })
    },
  })
  const app = await open([given], { security: mode })
  await app.browser.signInWith(op, { as: "ada" })
  await expectRefused(app, "Configuration")
})

const garbage: readonly Answer["body"][] = [
  { expires_in: -1 },
  { expires_in: 1e20 },
  { expires_in: "abc" },
  { expires_in: "1e999" },
  { expires_in: "" },
  { expires_in: null },
  { expires_in: [3600] },
  { expires_in: true },
  { token_type: "mac" },
  { token_type: "" },
  { token_type: 1 },
  { refresh_token: {} },
  { refresh_token: ["a"] },
  { refresh_token: "" },
  { scope: {} },
]

attack("OAUTH-12", "an invalid field in the token response is an error", async (mode) => {
  for (const field of garbage) {
    const op = createProvider({ faults: tokens(field) })
    const app = await open([op.oauthProvider()], { security: mode })
    await app.browser.signInWith(op, { as: "ada" })
    await expectRefused(app, "Configuration")
    expect(op.requestsTo("userinfo")).toEqual([])
  }
})

attack("OAUTH-12", "`expires_in` may be a string, and `token_type` is stored in lower case", async (mode) => {
  const clock = frozenClock()
  const op = createProvider({ clock, faults: tokens({ expires_in: "3600", token_type: "BEARER" }) })
  const { browser, adapter } = await open([op.oauthProvider()], {
    security: mode === "strict" ? { mode, providerTokens: "plain" } : mode,
    clock,
  })
  await browser.signInWith(op, { as: "ada" })
  expect(adapter.rows().accounts).toMatchObject([{ token_type: "bearer", expires_at: clock.now() / 1000 + 3600 }])
})

attack("OAUTH-12", "fields of a token response cannot set the provider, account id, user or type", async (mode) => {
  const change = {
    id: "row-1",
    provider: "other",
    providerAccountId: "grace",
    userId: "mallory",
    user_id: "mallory",
    user: { id: "mallory" },
    type: "credentials",
    sub: "grace",
    ["__proto__"]: { providerAccountId: "grace" },
  }
  const op = createProvider({ faults: tokens(change) })
  const seen: unknown[] = []
  const callbacks = { signIn: ({ account }: { account?: unknown }) => seen.push(account) > 0 }
  const { browser, adapter } = await open([op.oauthProvider()], { security: mode, callbacks })
  await browser.signInWith(op, { as: "ada" })
  const [user] = adapter.rows().users
  const key = { provider: "op", providerAccountId: "ada", type: "oauth" }
  expect(adapter.rows().accounts).toMatchObject([{ ...key, userId: user?.id }])
  expect(adapter.rows().accounts[0]).not.toHaveProperty("id", "row-1")
  expect(seen).toMatchObject([key])
  expect(JSON.stringify(seen)).not.toContain('"userId":"mallory"')
})

attack("OAUTH-11", "a client assertion is valid for the issuer, for a minute, and once", async (mode) => {
  const clock = frozenClock()
  const op = createProvider({ clock, authentication: "private_key_jwt" })
  const clientPrivateKey = await op.clientPrivateKey()
  const { browser } = await open([op.provider({ token: { clientPrivateKey } })], { security: mode, clock })
  for (const as of ["ada", "ada", "ada"]) {
    await begin(browser)
    await browser.consentAt(op, { as })
    expect(outcome(browser)).toBe("home")
  }
  const assertions = op.requestsTo("token").map((request) => request.form.get("client_assertion") ?? "")
  for (const assertion of assertions) {
    const { aud, exp = 0, iat = 0, iss, sub } = decodeJwt(assertion)
    expect({ aud, iss, sub }).toEqual({ aud: op.issuer, iss: op.clientId, sub: op.clientId })
    expect(iat).toBe(clock.now() / 1000)
    expect([exp > iat, exp - iat <= 60]).toEqual([true, true])
    expect(decodeProtectedHeader(assertion).typ).toBe("client-authentication+jwt")
  }
  expect(new Set(assertions.map((assertion) => decodeJwt(assertion).jti)).size).toBe(3)
})

attack("OAUTH-11", "metadata with the token endpoint of another server get no assertion for it", async (mode) => {
  const honest = createProvider({ id: "honest", issuer: "https://honest.test" })
  const named = [`${honest.issuer}/token`, honest.issuer, `${honest.issuer}/`]
  for (const token_endpoint of named) {
    const evil = createProvider({ id: "evil", issuer: "https://evil.test", faults: metadata({ token_endpoint }) })
    const clientPrivateKey = await evil.clientPrivateKey()
    const given = evil.provider({
      token: { clientPrivateKey },
      client: { token_endpoint_auth_method: "private_key_jwt" },
    })
    const app = await open([given], { security: mode })
    await app.browser.signInWith(evil, { as: "ada" })
    await expectRefused(app, "Configuration")
    const [request] = evil.requestsTo("elsewhere")
    expect(decodeJwt(request?.form.get("client_assertion") ?? "").aud).toBe(evil.issuer)
    expect(request?.body).not.toContain(evil.clientSecret)
  }
})

attack("OAUTH-11", "metadata with another issuer get no assertion", async (mode) => {
  const op = createProvider({ authentication: "private_key_jwt", faults: faults.discoveryWrongIssuer })
  const given = op.provider({
    authorization: "https://op.test/authorize",
    token: { clientPrivateKey: await op.clientPrivateKey() },
  })
  const app = await open([given], { security: mode })
  await app.browser.signInWith(op, { as: "ada" })
  await expectRefused(app, "Configuration")
  expect(op.requestsTo("token")).toEqual([])
})
