import FusionAuth from "@latchkey/core/providers/fusionauth"
import WorkOS from "@latchkey/core/providers/workos"
import type { AuthConfig } from "@latchkey/core/types"
import { captureLog, createProvider, type FakeProvider } from "@latchkey/testing"
import { expect } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { answerOf, begin, flowCookies, open, outcome, secret } from "../flows/oauth/app.js"
import { expectRefused, returning, shown, visitLazily } from "./oauth-setup.js"

/** Protocol parameters that an attacker would like to set. */
const wishes = {
  redirect_uri: "https://evil.test/cb",
  client_id: "evil",
  response_type: "token",
  response_mode: "fragment",
  state: "chosen-state",
  nonce: "chosen-nonce",
  code_challenge: "chosen-challenge",
  code_challenge_method: "plain",
  request: "e30.e30.",
  request_uri: "https://evil.test/request",
  registration: "{}",
  claims: "{}",
  id_token_hint: "e30",
  client_secret: "chosen-secret",
  iss: "https://evil.test",
}
const spellings: readonly ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toUpperCase(),
  (name) => `${name} `,
  (name) => `${name}[]`,
  (name) => `authorizationParams-${name}`,
  // PHP reads these as the name with underscores.
  (name) => name.replaceAll("_", "."),
  (name) => ` ${name.replaceAll("_", " ")}`,
  (name) => name.replace("_", "["),
  (name) => `${name.replaceAll("_", ".")}[]`,
]

attack("OAUTH-06", "a request cannot set a parameter of the protocol, in the query or the form", async (mode) => {
  for (const spell of spellings) {
    const asked = Object.fromEntries(Object.entries(wishes).map(([name, value]) => [spell(name), value]))
    for (const inQuery of [true, false]) {
      const op = createProvider()
      const { browser } = await open([op.provider()], { security: mode })
      const csrfToken = (await browser.csrf()) ?? ""
      const query = inQuery ? `?${new URLSearchParams(asked)}` : ""
      await browser.post(`/auth/signin/op${query}`, { csrfToken, ...(inQuery ? {} : asked) })
      const { origin, searchParams } = new URL(browser.location)
      expect(origin).toBe("https://op.test")
      expect(Object.fromEntries(searchParams)).toEqual({
        response_type: "code",
        client_id: op.clientId,
        redirect_uri: "https://app.test/auth/callback/op",
        scope: "openid profile email",
        state: expect.stringMatching(/^[\w-]{43}$/),
        nonce: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge: expect.stringMatching(/^[\w-]{43}$/),
        code_challenge_method: "S256",
      })
      await browser.consentAt(op, { as: "ada" })
      expect(outcome(browser)).toBe("home")
    }
  }
})

attack("OAUTH-06", "a request cannot replace a configured parameter, however it writes the name", async (mode) => {
  const op = createProvider()
  const params = { scope: "openid", prompt: "login", login_hint: "ada" }
  const { browser } = await open([op.provider({ authorization: { params } })], { security: mode })
  const names = Object.keys(params).flatMap((name) => spellings.map((spell) => spell(name)))
  const { searchParams } = await begin(browser, "op", Object.fromEntries(names.map((name) => [name, "evil"])))
  expect(
    [...searchParams].filter(([name, value]) => value === "evil" && !name.startsWith("authorizationParams-")),
  ).toEqual([])
  for (const [name, value] of Object.entries(params)) expect(searchParams.getAll(name)).toEqual([value])
})

const site = { organization: "acme", connection: "saml", hd: "app.test", prompt: "login", tenantId: "t1", Brand: "b" }
const query = new URLSearchParams(site).toString()

/** Every way to configure the same parameters. */
const places: readonly (readonly [string, (op: FakeProvider) => AuthConfig["providers"][number]])[] = [
  ["parameters", (op) => op.provider({ authorization: { params: site } })],
  ["the URL", (op) => op.provider({ authorization: `${op.issuer}/authorize?${query}` })],
  ["a URL object", (op) => op.provider({ authorization: { url: new URL(`${op.issuer}/authorize?${query}`) } })],
  ["the placeholder for discovery", (op) => op.provider({ authorization: `https://authjs.dev?${query}` })],
  // A provider function of the application, as written for Auth.js.
  ["a factory", (op) => ({ ...op.provider({ authorization: { params: site } }), options: { clientId: op.clientId } })],
  ["options", (op) => ({ ...op.provider(), options: { authorization: { params: site } } })],
  [
    "discovery",
    (op) => {
      const endpoint = `${op.issuer}/authorize?${query}`
      op.inject({ discovery: (answer) => ({ ...answer, body: { ...answer.body, authorization_endpoint: endpoint } }) })
      return op.provider()
    },
  ],
]

attack("OAUTH-06", "a request cannot replace a parameter wherever the site has it from", async (mode) => {
  for (const [place, entry] of places) {
    const op = createProvider()
    const { browser } = await open([entry(op)], { security: mode })
    const names = Object.keys(site).flatMap((name) => [
      name,
      name.toLowerCase(),
      ...spellings.map((spell) => spell(name)),
    ])
    const asked = Object.fromEntries(names.map((name) => [name, "evil"]))
    const { searchParams } = await begin(browser, "op", asked)
    for (const [name, value] of Object.entries(site)) {
      expect([place, name, searchParams.getAll(name)]).toEqual([place, name, [value]])
    }
    const evil = [...searchParams].filter(([, value]) => value === "evil").map(([name]) => name)
    expect(evil.filter((name) => !name.startsWith("authorizationParams-"))).toEqual([])
  }
})

attack("OAUTH-06", "a request cannot replace what an option of a built-in provider sets", async (mode) => {
  const client = { clientId: "id", clientSecret: "secret", issuer: "https://op.test" }
  const fusion = FusionAuth({ ...client, authorization: { url: "https://op.test/authorize" }, tenantId: "t1" })
  const { browser } = await open([fusion, WorkOS({ ...client, connection: "conn_1" })], { security: mode })
  for (const [id, name, value] of [
    ["fusionauth", "tenantId", "t1"],
    ["workos", "connection", "conn_1"],
  ] as const) {
    const { searchParams } = await begin(browser, id, { [name]: "evil", [name.toUpperCase()]: "evil" })
    expect(searchParams.getAll(name)).toEqual([value])
    expect([...searchParams.values()]).not.toContain("evil")
  }
})

attack("OAUTH-06", "allowed parameters are passed on once and cannot contain another parameter", async (mode) => {
  const op = createProvider()
  const { browser } = await open([op.provider()], { security: mode })
  const hint = "ada&redirect_uri=https://evil.test#state=x\r\nset-cookie: a=b"
  const { searchParams, hash } = await begin(browser, "op", {
    login_hint: hint,
    prompt: "login",
    scope: "openid email",
  })
  expect([searchParams.get("login_hint"), searchParams.get("prompt")]).toEqual([hint, "login"])
  expect(searchParams.get("scope")).toBe("openid email")
  expect([searchParams.getAll("redirect_uri"), hash]).toEqual([["https://app.test/auth/callback/op"], ""])
})

attack("OAUTH-08", "an error with a foreign state, or none, does not end the sign-in", async (mode) => {
  for (const state of ["another-state", "", undefined]) {
    const op = createProvider({ faults: returning({ state, code: undefined, error: "access_denied" }) })
    const app = await open([op.provider()], { security: mode })
    await begin(app.browser)
    await app.browser.consentAt(op, { as: "ada" })
    await expectRefused(app, "InvalidCheck")
    // A link of an attacker doesn't end the user's sign-in.
    expect(flowCookies(app.browser)).toHaveLength(1)
  }
})

attack("OAUTH-08", "an error next to a code is an error, and the code is not sent to the provider", async (mode) => {
  for (const error of ["access_denied", "", "x", "server_error"]) {
    const op = createProvider({ faults: returning({ error }) })
    const app = await open([op.provider()], { security: mode })
    await app.browser.signInWith(op, { as: "ada" })
    await expectRefused(app, "OAuthCallbackError")
    expect(op.requestsTo("token")).toEqual([])
  }
})

attack("OAUTH-08", "the error description of a provider appears in no page, URL or header", async (mode) => {
  const words = { error: "<script>alert(1)</script>", error_description: "<img src=x>", error_uri: "https://evil.test" }
  const op = createProvider({ faults: returning({ code: undefined, ...words }) })
  const app = await open([op.provider()], { security: mode })
  await app.browser.signInWith(op, { as: "ada" })
  await expectRefused(app, "OAuthCallbackError")
  expect(shown(app.browser)).not.toMatch(/alert\(1\)|<img|evil\.test|%3Cscript/i)
})

const plainHttp = "http://op.example"
const fields = ["issuer", "wellKnown", "authorization", "token", "userinfo", "jwks_endpoint"] as const

attack("OAUTH-10", "a URL with http is refused by strict, and reported at startup by compatible", async (mode) => {
  for (const name of fields) {
    for (const value of [
      `${plainHttp}/x`,
      "HTTP://op.example/x",
      "http://localhost.op.example",
      "http://127.0.0.1.op.example",
    ]) {
      const op = createProvider()
      const given = op.provider({ [name]: value })
      const { browser, log } = await open([given], { security: mode, environment: "production" })
      await browser.get("/auth/signin")
      expect([name, browser.response.status]).toEqual([name, mode === "strict" ? 500 : 200])
      const told = log.entries.filter(({ level, message }) =>
        mode === "strict" ? level === "error" : message === "insecure-endpoint",
      )
      expect(told.map(({ text }) => text).join()).toContain(name)
      expect(browser.text).not.toContain("op.example")
      expect(op.requests).toEqual([])
    }
  }
})

attack("OAUTH-10", "http endpoints from metadata get no code, token or secret", async (mode) => {
  for (const name of ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"]) {
    const op = createProvider()
    op.inject({ discovery: (answer) => ({ ...answer, body: { ...answer.body, [name]: `${plainHttp}/x` } }) })
    const app = await open([op.provider()], { security: mode })
    await app.browser.signInWith(op, { as: "ada" })
    expect([name, outcome(app.browser)]).toEqual([name, "Configuration"])
    expect(await app.browser.session()).toBeNull()
    expect(op.requests.map(({ endpoint }) => endpoint)).toEqual(["discovery"])
  }
})

attack(
  "OAUTH-10",
  "http to localhost is allowed; under strict, another host needs an option of the provider",
  async (mode) => {
    const rows: readonly (readonly [string, boolean, number])[] = [
      ["http://localhost:9", false, 200],
      ["http://127.0.0.1:9", false, 200],
      [plainHttp, false, mode === "strict" ? 500 : 200],
      [plainHttp, true, 200],
    ]
    for (const [issuer, allowInsecureRequests, status] of rows) {
      const { browser } = await open([createProvider({ issuer }).provider({ allowInsecureRequests })], {
        security: mode,
      })
      await browser.get("/auth/signin")
      expect(browser.response.status).toBe(status)
    }
  },
)

const malformed: readonly (readonly [string, string])[] = [
  ["code", "c".repeat(1 << 20)],
  ["code", "c".repeat(4097)],
  ["code", "code\r\nx-injected: 1"],
  ["code", "code\nGET /"],
  ["code", "code\u0000"],
  ["code", "cödé"],
  ["code", "\u{1F600}"],
  ["state", "s".repeat(100_000)],
  ["state", "s".repeat(1025)],
  ["state", "state\r\n"],
  ["iss", "i".repeat(1025)],
  ["error", "e\u0007"],
]

attack("OAUTH-13", "an oversized or malformed callback causes no request to the provider and no 5xx", async (mode) => {
  for (const responseMode of ["query", "form_post"]) {
    for (const [name, value] of malformed) {
      const op = createProvider({ faults: returning({ [name]: value }) })
      const given = op.oauthProvider({
        authorization: { url: "https://op.test/authorize", params: { response_mode: responseMode } },
      })
      const { browser, adapter, log } = await open([given], { security: mode })
      await browser.signInWith(op, { as: "ada" })
      const status = browser.response.status
      expect([name, value.length, status >= 400 && status < 500]).toEqual([name, value.length, true])
      expect(op.requests).toEqual([])
      expect(browser.trail.some(({ headers }) => headers.has("x-injected"))).toBe(false)
      expect([await browser.session(), adapter.rows().users]).toEqual([null, []])
      expect(log.entries.every(({ text }) => text.length < 10_000)).toBe(true)
    }
  }
})

attack("OAUTH-14", "the callback of a provider that was removed meanwhile does not sign in", async (mode) => {
  const op = createProvider()
  const other = createProvider({ id: "other", issuer: "https://other.test" })
  const log = captureLog()
  const common = { secret, trustHost: ["app.test"], security: mode, logger: log.logger } as const
  const before: AuthConfig = { ...common, providers: [op.provider(), other.provider({ name: "Other Service" })] }
  const disguised: AuthConfig["providers"][number] = {
    id: "op",
    name: "Op",
    type: "credentials",
    credentials: { name: {} },
    authorize: () => ({ id: "ada" }),
  }
  const later: readonly AuthConfig[] = [
    { ...common, providers: [other.provider({ name: "Other Service" })] },
    { ...common, providers: [other.provider({ name: "Other Service" }), disguised] },
  ]
  for (const after of later) {
    let config = before
    const browser = visitLazily(() => config)
    const answer = await answerOf(op, await begin(browser))
    config = after
    await browser.get(answer, { from: op.issuer })
    expect(browser.trail[0]?.status).toBeLessThan(500)
    expect(browser.trail[0]?.headers.getSetCookie().join()).not.toContain("session-token")
    expect(`${browser.trail[0]?.headers.get("location")} ${browser.location}`).not.toMatch(/other/i)
    if (browser.trail.length === 1) {
      expect(browser.response.status).toBe(404)
      expect(browser.text).toContain("<h1>Page not found</h1>")
    }
    expect(await browser.session()).toBeNull()
    expect(op.requestsTo("token")).toEqual([])
    await browser.get(answer.replace("/callback/op", "/callback/other"), { from: op.issuer })
    expect(outcome(browser)).toBe("InvalidCheck")
    expect(other.requestsTo("token")).toEqual([])
  }
})
