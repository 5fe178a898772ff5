import { describe, expect, test } from "vitest"
import { InvalidEndpoints } from "../../errors.js"
import type { AuthConfig } from "../../model/config.js"
import type { Provider, ProviderConfig } from "../../model/given-provider.js"
import type { OAuthConfig, OAuthProvider } from "../../model/oauth-provider.js"
import type { Fetch } from "../../model/provider.js"
import { customFetch } from "../../model/symbols.js"
import { defineProvider } from "../../provider-kit/define.js"
import { type Runtime, systemRuntime } from "../../primitives/runtime.js"
import { makeProvider } from "../../config/read-providers.js"
import { resolveProvider } from "../../config/compile.js"
import { features } from "../../engine/features.js"

const runtime: Runtime = { ...systemRuntime, fetch: async () => new Response("runtime") }
const config: AuthConfig = { providers: [] }

function resolve(given: Provider, more: Partial<AuthConfig> = {}): OAuthProvider {
  const provider = resolveProvider(features.providers, makeProvider(given), { ...config, ...more }, runtime)
  if (provider.type !== "oauth" && provider.type !== "oidc") throw new Error("not OAuth")
  return provider
}

type Given = Partial<Omit<OAuthConfig, "type">>
const oauth = (given: Given = {}): ProviderConfig => ({ id: "acme", name: "Acme", ...given, type: "oauth" })
const oidc = (given: Given = {}): ProviderConfig => ({
  id: "acme",
  name: "Acme",
  issuer: "https://a.test",
  ...given,
  type: "oidc",
})

function freeze<T>(value: T): T {
  for (const part of Object.values(value ?? {})) if (typeof part === "object") freeze(part)
  return Object.freeze(value)
}

describe("merging options over facts", () => {
  const facts = freeze({
    ...oauth(),
    checks: ["nonce", "state"],
    client: { a: 1, b: { c: 2 } },
    token: "https://a.test/token",
  })
  const merged = (options: object) => resolve(freeze({ ...facts, options }) as ProviderConfig)

  test("arrays replace, and the input isn't changed", () => {
    expect([...merged({ checks: ["pkce"] }).checks]).toEqual(["pkce"])
    expect([...merged({}).checks]).toEqual(["nonce", "state"])
    expect(facts.checks).toEqual(["nonce", "state"])
  })

  test("objects merge, and undefined is ignored", () => {
    const client = { b: { d: 3 }, token_endpoint_auth_method: undefined, a: undefined }
    expect(merged({ client, name: undefined })).toMatchObject({ name: "Acme", client: { a: 1, b: { c: 2, d: 3 } } })
  })

  test("an option can be null, and can't change the prototype", () => {
    const options: object = JSON.parse('{ "client": { "a": null, "__proto__": { "polluted": true } } }')
    const { client } = merged(options)
    expect(client["a"]).toBeNull()
    expect(client["polluted"]).toBeUndefined()
  })

  test("params added to an endpoint that was a string keep its URL", () => {
    const { token } = merged({ token: { params: { resource: 1 } } })
    expect([token.url?.href, token.params]).toEqual(["https://a.test/token", { resource: "1" }])
  })

  test("the id in the options wins", () => {
    expect(merged({ id: "second" }).id).toBe("second")
  })

  test("facts are made from the merged options", () => {
    const Acme = defineProvider(({ issuer }) => ({ id: "acme", name: "Acme", type: "oauth", token: `${issuer}/token` }))
    expect(resolve({ ...Acme(), options: { issuer: "https://late.test" } }).token.url?.href).toBe(
      "https://late.test/token",
    )
  })
})

describe("endpoints", () => {
  test("keep the query of their URL, and serialize params", () => {
    const claims = { id_token: { email: null } }
    const params = { prompt: "login", n: 1, claims, none: undefined, no: null }
    const { authorization } = resolve(oauth({ authorization: { url: "https://a.test/x?scope=read", params } }))
    expect(authorization.url?.href).toBe("https://a.test/x?scope=read")
    expect(authorization.params).toEqual({ prompt: "login", n: "1", claims: JSON.stringify(claims) })
  })

  test("the URL of the keys can be a text or a URL", () => {
    const url = "https://a.test/jwks"
    for (const jwks_endpoint of [url, new URL(url)]) {
      expect(resolve(oauth({ jwks_endpoint })).jwksEndpoint).toBe(url)
      expect(resolve(oauth({ options: { jwks_endpoint } })).jwksEndpoint).toBe(url)
    }
  })

  test("a placeholder host means discovery, and its query is kept", () => {
    const { authorization, issuer, token } = resolve(
      oauth({
        authorization: "https://authjs.dev/?prompt=login",
        token: "https://authjs.dev",
        issuer: "https://authjs.dev",
      }),
    )
    expect([authorization, token.url, issuer]).toEqual([
      { url: undefined, params: { prompt: "login" } },
      undefined,
      undefined,
    ])
  })

  test("keep their functions and keys", () => {
    const request = async () => ({ tokens: {} })
    const conform = async () => undefined
    const { token, userinfo } = resolve(
      oauth({ token: { url: "https://a.test/t", request, conform }, userinfo: { request: async () => ({}) } }),
    )
    expect(token).toMatchObject({ request, conform })
    expect(userinfo.request).toBeTypeOf("function")
    expect(Object.keys(resolve(oauth()).token)).not.toContain("request")
  })

  test("that aren't URLs are refused by name", () => {
    expect(() => resolve(oauth({ token: "undefined/token" }))).toThrow(InvalidEndpoints)
  })

  const scopes: readonly (readonly [string, ProviderConfig, string | undefined])[] = [
    ["OpenID Connect without one", oidc(), "openid profile email"],
    ["OpenID Connect with an empty one", oidc({ authorization: { params: { scope: "" } } }), ""],
    ["OpenID Connect with one in the URL", oidc({ authorization: "https://a.test/?scope=openid" }), undefined],
    ["plain OAuth 2", oauth({ authorization: "https://a.test" }), undefined],
  ]
  test.each(scopes)("the scope of %s", (_, given, expected) => {
    expect(resolve(given).authorization.params["scope"]).toBe(expected)
  })
})

const checks: readonly (readonly [string, ProviderConfig, Partial<AuthConfig>, readonly string[], boolean])[] = [
  ["OAuth 2 by default", oauth(), {}, ["pkce", "state"], false],
  ["OpenID Connect by default", oidc(), {}, ["pkce", "state", "nonce"], false],
  ["a list without state", oidc({ checks: ["pkce"] }), {}, ["pkce"], true],
  ["a list with state", oauth({ checks: ["state"] }), {}, ["state"], false],
  ["none", oauth({ checks: ["none"] }), {}, [], true],
  [
    "a list behind a redirect proxy",
    oauth({ checks: ["pkce"] }),
    { redirectProxyUrl: "https://p.test/auth" },
    ["pkce", "state"],
    false,
  ],
]
test.each(checks)("the checks of %s", (_, given, more, expected, optional) => {
  const { checks: found, stateOptional } = resolve(given, more)
  expect([[...found], stateOptional]).toEqual([expected, optional])
})

describe("the redirect proxy", () => {
  const redirectProxyUrl = "https://p.test/auth/"
  test("is the provider's, else the configuration's, without a trailing slash", () => {
    expect(resolve(oauth(), { redirectProxyUrl }).redirectProxyUrl).toBe("https://p.test/auth")
    expect(resolve(oauth({ redirectProxyUrl: "https://q.test" }), { redirectProxyUrl }).redirectProxyUrl).toBe(
      "https://q.test",
    )
  })
  test.each([
    ["a parameter", { url: "https://a.test", params: { response_mode: "form_post" } }],
    ["the URL", "https://a.test/?response_mode=form_post"],
  ])("is used when %s asks for form_post", (_, authorization) => {
    expect(resolve(oauth({ authorization }), { redirectProxyUrl }).redirectProxyUrl).toBe("https://p.test/auth")
  })
})

describe("the transport", () => {
  const own: Fetch = async () => new Response("own")
  const option: Fetch = async () => new Response("option")
  const answer = async (given: ProviderConfig) => (await resolve(given).fetch("https://a.test")).text()

  test("is that of the options, else of the provider, else of the runtime", async () => {
    expect(await answer(oauth({ [customFetch]: own, options: { [customFetch]: option } }))).toBe("option")
    expect(await answer(oauth({ [customFetch]: own, options: {} }))).toBe("own")
    expect(await answer(oauth({ [customFetch]: own }))).toBe("own")
    expect(await answer(oauth())).toBe("runtime")
  })

  test("reaches the provider that a factory makes", async () => {
    const Acme = defineProvider({ id: "acme", name: "Acme", type: "oauth", token: "https://a.test" })
    expect(await answer(Acme({ [customFetch]: option }))).toBe("option")
  })

  test("is called without a `this`, as some runtimes require", async () => {
    const receivers: unknown[] = []
    const strict: Fetch = async function (this: unknown) {
      receivers.push(this)
      return new Response()
    }
    await answer(oauth({ [customFetch]: strict }))
    expect(receivers).toEqual([undefined])
  })
})

const linking: readonly (readonly [Partial<OAuthConfig>, string])[] = [
  [{}, "never"],
  [{ allowDangerousEmailAccountLinking: true }, "dangerous"],
  [{ allowEmailAccountLinking: "verified" }, "verified"],
  [{ allowDangerousEmailAccountLinking: true, allowEmailAccountLinking: "verified" }, "verified"],
]
test.each(linking)("%j links by email: %s", (given, expected) => {
  expect(resolve(oauth(given)).emailLinking).toBe(expected)
})

test.each([
  [oauth(), true],
  [oidc(), false],
  [{ ...oidc(), idToken: false } as ProviderConfig, true],
])("%j takes the profile from userinfo: %j", (given, expected) => {
  expect(resolve(given).userinfoAsProfile).toBe(expected)
})

test("a numeric client id becomes a string", () => {
  const given: object = { ...oauth(), clientId: 123, clientSecret: 456 }
  expect(resolve(given as ProviderConfig)).toMatchObject({ clientId: "123", clientSecret: "456" })
})

describe("providers of other types", () => {
  const mail: ProviderConfig = { id: "mail", name: "Mail", type: "email", sendVerificationRequest() {} }
  test.each([
    [{}, undefined, 86_400],
    [{ security: "strict" } as const, undefined, 900],
    [{}, 60, 60],
  ])("a link with %j and maxAge %j is valid for %d seconds", (more, maxAge, expected) => {
    expect(resolveProvider(features.providers, { ...mail, maxAge }, { ...config, ...more }, runtime)).toMatchObject({
      maxAge: expected,
    })
  })

  test("a transport object is passed on by reference, not merged", () => {
    const server = { sent: 0, sendMail() {} }
    const given: ProviderConfig = { ...mail, server: { host: "localhost" }, options: { server } }
    const found = resolveProvider(features.providers, makeProvider(given), config, runtime)
    expect(found.type === "email" && found.server).toBe(server)
  })

  test("credentials keep their fields and `authorize`", async () => {
    const given: ProviderConfig = {
      id: "c",
      name: "C",
      type: "credentials",
      credentials: { a: {} },
      authorize: () => ({ id: "1" }),
    }
    const found = resolveProvider(features.providers, makeProvider(given), config, runtime)
    expect(found).toMatchObject({ credentials: { a: {} } })
    expect(found.type === "credentials" && (await found.authorize({}, new Request("https://a.test")))).toEqual({
      id: "1",
    })
  })

  test("a passkey provider keeps its options", () => {
    const found = resolveProvider(
      features.providers,
      { id: "p", name: "P", type: "webauthn", option: 1 },
      config,
      runtime,
    )
    expect(found).toMatchObject({ config: { option: 1 } })
  })

  test("a provider's own method is used", () => {
    const unused = async () => ({}) as never
    const method = async () => ({ start: unused, finish: unused, steps: () => ({}) as never })
    expect(resolveProvider(features.providers, { ...oauth(), method }, config, runtime).method).toBe(method)
  })

  test.each([oauth(), oidc(), mail])("the result is frozen (%#)", (given) => {
    const found = resolveProvider(features.providers, makeProvider(given), config, runtime)
    expect(Object.isFrozen(found)).toBe(true)
    const parts = Object.values(found).filter((part) => Object.getPrototypeOf(part ?? 0) === Object.prototype)
    expect(parts.filter((part) => !Object.isFrozen(part))).toEqual([])
  })

  test.each([
    [oauth(), "finish"],
    [mail, "finish"],
    [
      { id: "c", name: "C", type: "credentials", credentials: {}, authorize: () => null } satisfies ProviderConfig,
      "finish",
    ],
  ])("the method of each type is loaded on first use (%#)", async (given, member) => {
    expect(await resolveProvider(features.providers, makeProvider(given), config, runtime).method()).toHaveProperty(
      member,
    )
  })
})
