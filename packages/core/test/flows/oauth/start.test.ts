import { createHash } from "node:crypto"
import GitHub from "@latchkey/core/providers/github"
import type { AuthConfig } from "@latchkey/core/types"
import { createProvider, faults } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { begin, flowCookies, open, outcome } from "./app.js"

const issuers = [
  ["https://op.test", "https://op.test/.well-known/openid-configuration"],
  ["https://op.test/", "https://op.test/.well-known/openid-configuration"],
  ["https://op.test/tenant/a", "https://op.test/tenant/a/.well-known/openid-configuration"],
  ["https://op.test/tenant/a/", "https://op.test/tenant/a/.well-known/openid-configuration"],
] as const

test.each(issuers)("the endpoints of %s are discovered at %s", async (issuer, address) => {
  const op = createProvider({ issuer })
  const { browser } = await open([op.provider()])
  const at = await begin(browser)
  const [discovery] = op.requestsTo("discovery")
  expect(discovery?.url.href).toBe(address)
  expect(discovery?.headers.get("accept")).toBe("application/json")
  expect(at.href.split("?")[0]).toBe(`${issuer.replace(/\/$/, "")}/authorize`)
})

test("a placeholder host in an endpoint means discovery, and its query is kept", async () => {
  const op = createProvider()
  const { browser } = await open([op.provider({ authorization: "https://authjs.dev?prompt=login&scope=openid" })])
  const at = await begin(browser)
  expect(at.origin).toBe("https://op.test")
  expect([at.searchParams.get("prompt"), at.searchParams.get("scope")]).toEqual(["login", "openid"])
})

test("a discovery document without an authorization endpoint redirects to the sign-in page", async () => {
  const op = createProvider({
    faults: { discovery: (answer) => ({ ...answer, body: { ...answer.body, authorization_endpoint: undefined } }) },
  })
  const { browser } = await open([op.provider()])
  await begin(browser)
  expect(outcome(browser)).toBe("Configuration")
})

test("the redirect to the provider is a 302 with all parameters", async () => {
  const op = createProvider()
  const { browser } = await open([op.provider()])
  const { searchParams } = await begin(browser)
  expect(browser.response.status).toBe(302)
  expect(Object.fromEntries(searchParams)).toEqual({
    response_type: "code",
    client_id: "latchkey",
    redirect_uri: "https://app.test/auth/callback/op",
    scope: "openid profile email",
    state: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
    code_challenge_method: "S256",
    nonce: expect.stringMatching(/^[\w-]{43}$/),
  })
})

test("two sign-ins have different state, challenge and nonce", async () => {
  const op = createProvider()
  const { browser } = await open([op.provider()])
  const [one, two] = [await begin(browser), await begin(browser)]
  for (const name of ["state", "code_challenge", "nonce"]) {
    expect(one.searchParams.get(name)).not.toBe(two.searchParams.get(name))
  }
})

test("the verifier sent with the code hashes to the challenge", async () => {
  const op = createProvider()
  const { browser } = await open([op.provider()])
  await browser.signInWith(op, { as: "ada" })
  const verifier = op.requestsTo("token")[0]?.form.get("code_verifier") ?? ""
  expect(createHash("sha256").update(verifier).digest("base64url")).toBe(op.authorizations[0]?.["code_challenge"])
})

test("GET signin/op shows the sign-in page and starts no sign-in", async () => {
  const op = createProvider()
  const { browser } = await open([op.provider()])
  await browser.get("/auth/signin/op")
  expect(browser.response.status).toBe(200)
  expect(op.requests).toEqual([])
  expect(flowCookies(browser)).toEqual([])
})

test("a form without a CSRF token from another site starts no sign-in", async () => {
  const op = createProvider()
  const { browser } = await open([op.provider()])
  await browser.post("/auth/signin/op", {}, { from: "https://evil.test" })
  expect(outcome(browser)).toBe("MissingCSRF")
  expect([op.requests, flowCookies(browser)]).toEqual([[], []])
})

const scopes = [
  ["oidc without scope", "oidc", { url: "https://op.test/authorize" }, "openid profile email"],
  ["oidc with a scope parameter", "oidc", { url: "https://op.test/authorize", params: { scope: "openid" } }, "openid"],
  ["oidc with a scope in the address", "oidc", "https://op.test/authorize?scope=openid", "openid"],
  ["oidc with an empty scope", "oidc", "https://op.test/authorize?scope=", ""],
  ["oauth without scope", "oauth", "https://op.test/authorize", null],
  ["oauth with a scope", "oauth", { url: "https://op.test/authorize", params: { scope: "read write" } }, "read write"],
] as const

test.each(scopes)("the scope of %s (%s, %o) is %o", async (_, type, authorization, scope) => {
  const op = createProvider()
  const given = type === "oidc" ? op.provider({ authorization }) : op.oauthProvider({ authorization })
  const { browser } = await open([given])
  expect((await begin(browser)).searchParams.get("scope")).toBe(scope)
})

test("parameters are sent as text: claims as JSON, nothing for what is undefined, spaces as %20", async () => {
  const claims = { id_token: { acr: { essential: true } } }
  const params = { claims, max_age: 300, prompt: undefined, display: null, login_hint: "ada lovelace" }
  const op = createProvider()
  const { browser } = await open([op.provider({ authorization: { params } })])
  const { searchParams, search } = await begin(browser)
  expect(JSON.parse(searchParams.get("claims") ?? "")).toEqual(claims)
  expect(searchParams.get("max_age")).toBe("300")
  expect([searchParams.has("prompt"), searchParams.has("display")]).toEqual([false, false])
  expect(search).toContain("login_hint=ada%20lovelace")
})

describe("a parameter of the sign-in request", () => {
  const allowed = [
    "login_hint",
    "prompt",
    "ui_locales",
    "acr_values",
    "max_age",
    "scope",
    "domain_hint",
    "organization",
  ]
  test.each(allowed)("%s is sent to the provider", async (name) => {
    const op = createProvider()
    const { browser } = await open([op.provider()])
    expect((await begin(browser, "op", { [name]: "1" })).searchParams.get(name)).toBe("1")
  })

  const owned: readonly (readonly [string, string])[] = [
    ["client_id", "evil"],
    ["redirect_uri", "https://evil.test/cb"],
    ["response_type", "token"],
    ["response_mode", "fragment"],
    ["state", "chosen"],
    ["nonce", "chosen"],
    ["code_challenge", "chosen"],
    ["code_challenge_method", "plain"],
    ["request", "e30.e30."],
    ["request_uri", "https://evil.test/request"],
    ["claims", "{}"],
    ["registration", "{}"],
    ["id_token_hint", "e30"],
    ["State", "chosen"],
    ["redirect_uri[]", "https://evil.test/cb"],
    ["callbackUrl", "/a"],
    ["csrfToken", "chosen"],
  ]
  test.each(owned)("%s=%s is ignored", async (name, value) => {
    const op = createProvider()
    const { browser } = await open([op.provider()])
    const { searchParams } = await begin(browser, "op", { [name]: value })
    expect(searchParams.getAll(name)).not.toContain(value)
  })

  test("is ignored if it's longer than 1,024 characters", async () => {
    const op = createProvider()
    const { browser } = await open([op.provider()])
    const at = await begin(browser, "op", { login_hint: "a".repeat(1025) })
    expect(at.searchParams.has("login_hint")).toBe(false)
  })

  const own = ["login", "allow_signup", "show_dialog", "brand", "x-custom", "utm_source", "connector.id"]
  test.each(own)("%s, which only this provider knows, is sent; under strict it isn't", async (name) => {
    const op = createProvider()
    const { browser } = await open([op.provider()])
    expect((await begin(browser, "op", { [name]: "1" })).searchParams.get(name)).toBe("1")
    const strict = await open([op.provider()], { security: "strict" })
    expect((await begin(strict.browser, "op", { [name]: "1" })).searchParams.has(name)).toBe(false)
  })

  test.each([
    ["in the URL", "https://op.test/authorize?prompt=login&tenant=acme"],
    ["in the parameters", { params: { prompt: "login", tenant: "acme" } }],
  ])("replaces none that is configured %s", async (_, authorization) => {
    const op = createProvider()
    const { browser } = await open([op.provider({ authorization })])
    const { searchParams } = await begin(browser, "op", { prompt: "none", tenant: "evil", hd: "app.test" })
    const sent = ["prompt", "tenant", "hd"].map((name) => searchParams.getAll(name))
    expect(sent).toEqual([["login"], ["acme"], ["app.test"]])
  })

  test("can replace a built-in parameter of a provider, unless the application sets it", async () => {
    const client = { clientId: "id", clientSecret: "secret" }
    const scopeOf = async (given: AuthConfig["providers"][number]) => {
      const { browser } = await open([given])
      return (await begin(browser, "github", { scope: "repo" })).searchParams.get("scope")
    }
    expect(await scopeOf(GitHub(client))).toBe("repo")
    expect(await scopeOf(GitHub({ ...client, authorization: { params: { scope: "gist" } } }))).toBe("gist")
  })

  test("that isn't sent is named in the debug log, without its value", async () => {
    const op = createProvider()
    const { browser, log } = await open([op.provider()], { debug: true })
    await begin(browser, "op", { login_hint: "ada", client_id: "evil", response_type: "token" })
    expect(log.entries).toContainEqual(
      expect.objectContaining({
        level: "debug",
        message: "Parameters of the sign-in request don't reach the provider",
        detail: { provider: "op", dropped: ["client_id", "response_type"] },
      }),
    )
  })
})

describe("the checks", () => {
  const sent = ["state", "code_challenge", "nonce"] as const
  const rows = [
    [undefined, {}, ["state", "code_challenge", "nonce"]],
    [["pkce"], {}, ["state", "code_challenge"]],
    [["state"], {}, ["state"]],
    [["nonce"], {}, ["state", "nonce"]],
    [["none"], {}, []],
    [[], {}, []],
    [["pkce"], faults.noPkceSupport, ["state", "code_challenge", "nonce"]],
    [["pkce"], faults.onlyPlainPkceSupport, ["state", "nonce"]],
  ] as const
  test.each(rows)(
    "%o of OpenID Connect, where the metadata have the fault %o, send %o",
    async (checks, fault, expected) => {
      const op = createProvider({ faults: fault })
      const { browser } = await open([op.provider({ checks })])
      const { searchParams } = await begin(browser)
      expect(sent.filter((name) => searchParams.has(name))).toEqual(expected)
      await browser.consentAt(op, { as: "ada" })
      expect(outcome(browser)).toBe("home")
    },
  )

  test("plain OAuth 2 uses state and PKCE, and never a nonce", async () => {
    const op = createProvider()
    const { browser } = await open([op.oauthProvider()])
    const { searchParams } = await begin(browser)
    expect(sent.filter((name) => searchParams.has(name))).toEqual(["state", "code_challenge"])
  })

  test("can't be turned off under strict security", async () => {
    const op = createProvider()
    const { browser } = await open([op.provider({ checks: ["none"] })], { security: "strict" })
    await browser.get("/auth/signin")
    expect(browser.response.status).toBe(500)
  })
})

test.each([
  ["https://10.0.0.1", "Configuration"],
  ["https://192.168.1.1", "Configuration"],
  ["https://[::ffff:10.0.0.1]", "Configuration"],
  ["http://localhost:9", "/authorize"],
  ["http://127.0.0.1:9", "/authorize"],
])("a provider at %s ends as %s", async (issuer, expected) => {
  const op = createProvider({ issuer })
  const { browser } = await open([op.provider()])
  await begin(browser)
  expect(outcome(browser)).toBe(expected)
  if (expected === "Configuration") expect(op.requests).toEqual([])
})

test.each(["http://op.example", "http://169.254.169.254"])(
  "under strict, a provider at %s is a configuration error",
  async (issuer) => {
    const op = createProvider({ issuer })
    const { browser, log } = await open([op.provider()], { security: "strict" })
    await browser.get("/auth/signin")
    expect(browser.response.status).toBe(500)
    expect(op.requests).toEqual([])
    expect(log.entries.map(({ message }) => message).join()).toContain("https")
  },
)

test("under compatible, a provider with plain http endpoints works, and one warning says so", async () => {
  const op = createProvider({ issuer: "http://keycloak:8080/realms/app" })
  const { browser, log } = await open([op.provider()])
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("home")
  expect(log.entries.filter(({ level }) => level === "warn").map(({ message }) => message)).toEqual([
    "insecure-endpoint",
  ])
})

test("under compatible, plain http to a private IP address is refused when it's used", async () => {
  const op = createProvider({ issuer: "http://169.254.169.254" })
  const { browser } = await open([op.provider()])
  await begin(browser)
  expect([outcome(browser), op.requests]).toEqual(["Configuration", []])
})

test("plain http on any host is possible with allowInsecureRequests", async () => {
  const op = createProvider({ issuer: "http://op.internal" })
  const { browser } = await open([op.provider({ allowInsecureRequests: true })])
  await browser.signInWith(op, { as: "ada" })
  expect(outcome(browser)).toBe("home")
})
