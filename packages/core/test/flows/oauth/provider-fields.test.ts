import { createProvider, faults } from "@latchkey/testing"
import type { FakeProvider } from "@latchkey/testing"
import { customFetch } from "@latchkey/core"
import type { Fetch, OAuth2Config, OIDCConfig, ProviderContext, TokenSet } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { open, outcome } from "./app.js"

async function signIn(op: FakeProvider, given: OIDCConfig | OAuth2Config, as = "ada") {
  const { browser, adapter, log } = await open([given])
  await browser.signInWith(op, { as })
  const { users, accounts } = adapter.rows()
  return { fate: outcome(browser), user: users[0], account: accounts[0], session: await browser.session(), log }
}

describe("addresses", () => {
  const wellKnown = "https://op.test/.well-known/openid-configuration"

  test("wellKnown is the URL of the document, whatever the issuer", async () => {
    const op = createProvider()
    const moved: Fetch = (input, init) =>
      op.fetch(String(input) === "https://meta.test/op.json" ? wellKnown : input, init)
    const given = op.provider({ wellKnown: "https://meta.test/op.json", [customFetch]: moved })
    expect((await signIn(op, given)).fate).toBe("home")
  })

  test("wellKnown is enough without an issuer, which is then discovered", async () => {
    const op = createProvider()
    expect((await signIn(op, op.provider({ issuer: undefined, wellKnown }))).fate).toBe("home")
    op.inject(faults.wrongIssuer)
    expect((await signIn(op, op.provider({ issuer: undefined, wellKnown }))).fate).toBe("Configuration")
  })

  const overrides: readonly (readonly [string, Partial<OIDCConfig>])[] = [
    ["userinfo", { userinfo: "https://op.test/userinfo" }],
    ["token", { token: "https://op.test/token" }],
    ["authorization", { authorization: "https://op.test/authorize" }],
    ["token and userinfo", { token: "https://op.test/token", userinfo: "https://op.test/userinfo" }],
    ["only parameters", { authorization: { params: { prompt: "login" } } }],
  ]
  test.each(overrides)("overriding %s leaves the others to discovery", async (_, override) => {
    const op = createProvider()
    expect((await signIn(op, op.provider({ ...override, idToken: false }))).fate).toBe("home")
  })

  test("an override takes precedence over discovery", async () => {
    const op = createProvider({ faults: faults.foreignTokenEndpoint })
    expect((await signIn(op, op.provider({ token: "https://op.test/token" }))).fate).toBe("home")
  })

  test("parameters of the token and userinfo endpoints are sent in their URLs", async () => {
    const op = createProvider()
    const token = { url: "https://op.test/token", params: { tenant: "a b" } }
    const userinfo = { url: "https://op.test/userinfo", params: { fields: "id,name" } }
    expect((await signIn(op, op.oauthProvider({ token, userinfo }))).fate).toBe("home")
    expect(op.requestsTo("token")[0]?.url.searchParams.get("tenant")).toBe("a b")
    expect(op.requestsTo("userinfo")[0]?.url.searchParams.get("fields")).toBe("id,name")
  })

  test("jwks_endpoint is the URL of the keys, with or without discovery", async () => {
    const op = createProvider({ faults: faults.noJwksUri })
    const given = op.provider({ jwks_endpoint: "https://op.test/jwks" })
    expect((await signIn(op, given)).fate).toBe("home")
    expect(op.requestsTo("jwks")).toHaveLength(1)
    op.inject(faults.badSignature)
    expect((await signIn(op, given)).fate).toBe("Configuration")
  })

  test("a provider with all endpoints and jwks_endpoint needs no discovery", async () => {
    const op = createProvider({ faults: faults.discoveryUnreachable, issParameter: false })
    const given = op.provider({
      authorization: "https://op.test/authorize",
      token: "https://op.test/token",
      jwks_endpoint: "https://op.test/jwks",
    })
    expect((await signIn(op, given)).fate).toBe("home")
    expect(op.requestsTo("discovery")).toEqual([])
  })
})

describe("hooks", () => {
  test("token.request replaces the whole token request", async () => {
    const op = createProvider()
    const seen: { params: object; checks: object; provider: ProviderContext }[] = []
    const request = async (context: {
      params: Readonly<Record<string, string>>
      checks: { readonly redirect_uri: string; readonly code_verifier?: string }
      provider: ProviderContext
    }): Promise<{ tokens: TokenSet }> => {
      seen.push(context)
      const { params, checks, provider } = context
      const response = await provider.fetch("https://op.test/token", {
        method: "POST",
        headers: { authorization: `Basic ${btoa(`${provider.clientId}:${provider.clientSecret ?? ""}`)}` },
        body: new URLSearchParams({
          grant_type: "authorization_code",
          code: params["code"] ?? "",
          redirect_uri: checks.redirect_uri,
          code_verifier: checks.code_verifier ?? "",
        }),
      })
      // The fake provider's response is valid.
      return { tokens: (await response.json()) as TokenSet }
    }
    expect((await signIn(op, op.provider({ token: { request } }))).fate).toBe("home")
    expect(op.requestsTo("token")).toHaveLength(1)
    expect(seen[0]?.checks).toEqual({
      redirect_uri: "https://app.test/auth/callback/op",
      code_verifier: expect.any(String),
      state: expect.any(String),
      nonce: expect.any(String),
    })
    expect(seen[0]?.provider).toMatchObject({
      id: "op",
      signinUrl: "https://app.test/auth/signin/op",
      callbackUrl: "https://app.test/auth/callback/op",
    })
  })

  test("token.request gets only the checks that are in use", async () => {
    const op = createProvider()
    const seen: object[] = []
    const request = ({ checks }: { checks: object }) => {
      seen.push(checks)
      return { tokens: { access_token: "a", token_type: "bearer" as const } }
    }
    const own = { token: { request }, userinfo: { request: () => ({ sub: "ada" }) } }
    await signIn(op, op.oauthProvider({ ...own, checks: ["none"] }))
    const { browser } = await open([op.oauthProvider({ ...own, checks: ["none"] })])
    await browser.get("/auth/callback/op?code=c")
    const redirect_uri = "https://app.test/auth/callback/op"
    expect(seen).toStrictEqual([{ redirect_uri, state: expect.any(String) }, { redirect_uri }])
  })

  test("the result of token.request is checked like any response", async () => {
    const op = createProvider()
    const token = {
      request: () => ({ tokens: { access_token: "a", token_type: "bearer" as const, id_token: "x.y.z" } }),
    }
    expect((await signIn(op, op.provider({ token }))).fate).toBe("Configuration")
  })

  test.each(["token", "userinfo"] as const)(
    "a %s.request that throws redirects to the sign-in page",
    async (endpoint) => {
      const op = createProvider()
      const request = () => Promise.reject(new Error("no route"))
      const given = op.oauthProvider({ [endpoint]: { url: `https://op.test/${endpoint}`, request } })
      const { fate, user, log } = await signIn(op, given)
      expect([fate, user]).toEqual(["Configuration", undefined])
      expect(log.entries.map(({ text }) => text).join()).toContain("no route")
    },
  )

  test("userinfo.request replaces the userinfo request and gets the tokens", async () => {
    const op = createProvider()
    const request = ({ tokens }: { tokens: TokenSet }) => ({ sub: `from-${typeof tokens.access_token}` })
    const { account } = await signIn(op, op.oauthProvider({ userinfo: { url: "https://op.test/userinfo", request } }))
    expect(account?.providerAccountId).toBe("from-string")
    expect(op.requestsTo("userinfo")).toEqual([])
  })

  test("functions of a provider get the fields that the application added to it, also from its options", async () => {
    const op = createProvider()
    const seen: unknown[] = []
    const request = ({ provider }: { provider: ProviderContext }) => {
      seen.push([Reflect.get(provider, "tenant"), Reflect.get(provider, "region")])
      return { sub: "ada" }
    }
    const own = { tenant: "acme", options: { name: "Acme", region: "eu" } }
    const profile = function (this: object) {
      seen.push([Reflect.get(this, "tenant"), Reflect.get(this, "region")])
      return { id: "ada" }
    }
    await signIn(op, {
      ...op.oauthProvider({ userinfo: { url: "https://op.test/userinfo", request }, profile }),
      ...own,
    })
    expect(seen).toEqual([
      ["acme", "eu"],
      ["acme", "eu"],
    ])
  })

  test.each([
    [{ name: "Ada L." }, "home", "ada"],
    [{ sub: "ada", name: "Ada L." }, "home", "ada"],
    [{ sub: "grace", name: "Ada L." }, "Configuration", undefined],
    [{ sub: "", name: "Ada L." }, "Configuration", undefined],
  ])("a userinfo.request that returns %j with an ID token ends as %s", async (answer, fate, id) => {
    const op = createProvider()
    const given = op.provider({ idToken: false, userinfo: { request: () => answer } })
    const end = await signIn(op, given)
    expect([end.fate, end.account?.providerAccountId]).toEqual([fate, id])
    if (fate === "home") expect(end.user?.name).toBe("Ada L.")
  })

  test.each([undefined, null, "ada", []])("a userinfo.request that returns %o is an error", async (answer) => {
    const op = createProvider()
    const given = op.oauthProvider({ userinfo: { url: "https://op.test/userinfo", request: () => answer } })
    expect((await signIn(op, given)).fate).toBe("Configuration")
  })

  test("conform gets a clone of the token response and can replace it", async () => {
    const op = createProvider({ faults: faults.macTokenType })
    const conform = async (response: Response) => {
      const body: unknown = await response.json()
      return Response.json({ ...Object(body), token_type: "bearer" })
    }
    expect((await signIn(op, op.provider({ token: { conform } }))).fate).toBe("home")
  })

  test("a conform that returns nothing changes nothing", async () => {
    const op = createProvider()
    const conform = async (response: Response) => void (await response.text())
    // In JavaScript such a hook returns nothing. The type requires `undefined`.
    const given = op.provider({ token: { conform: async (response) => (await conform(response), undefined) } })
    expect((await signIn(op, given)).fate).toBe("home")
  })

  test("mergeCallback adds callback parameters to the profile, except for code and state", async () => {
    const op = createProvider({ faults: { authorize: (params) => ({ ...params, user: '{"name":"Ada L."}' }) } })
    const names: string[][] = []
    const given = op.provider({
      mergeCallback: (profile, params) => {
        names.push(Object.keys(params).sort())
        return { ...profile, name: Object(JSON.parse(params["user"] ?? "{}"))["name"] }
      },
    })
    expect((await signIn(op, given)).user?.name).toBe("Ada L.")
    expect(names).toEqual([["iss", "user"]])
  })
})

describe("issuerFor", () => {
  const tenants = (tenant: string, claims: Record<string, unknown> = {}) => {
    const op = createProvider({ issuer: "https://login.test/common", issParameter: false })
    op.inject({
      discovery: (answer) => ({ ...answer, body: { ...answer.body, issuer: "https://login.test/{tenantid}" } }),
      idToken: (token) => ({
        ...token,
        claims: { ...token.claims, iss: `https://login.test/${tenant}`, tid: "t1", ...claims },
      }),
    })
    const issuerFor: OIDCConfig["issuerFor"] = ({ tid }, issuer) => issuer.replace("{tenantid}", String(tid))
    return { op, given: op.provider({ issuerFor }) }
  }

  test("returns the tenant's issuer, which the ID token has to name", async () => {
    const right = tenants("t1")
    expect((await signIn(right.op, right.given)).fate).toBe("home")
    const wrong = tenants("t2")
    expect((await signIn(wrong.op, wrong.given)).fate).toBe("Configuration")
  })

  test.each([
    ["https://login.test/t1", "home", ""],
    ["https://login.test/t2", "Configuration", "The response names another issuer than the ID token"],
    ["https://evil.test/t1", "Configuration", "The response names another issuer"],
    ["login.test", "Configuration", "The response names another issuer"],
  ])("has to match the `iss` parameter: %s ends as %s", async (iss, fate, reason) => {
    const { op, given } = tenants("t1")
    op.inject({ authorize: (params) => ({ ...params, iss }) })
    const end = await signIn(op, given)
    expect(end.fate).toBe(fate)
    expect(end.log.entries.map(({ message }) => message).join()).toContain(reason)
  })

  test("can't return another origin", async () => {
    const { op } = tenants("t1", { iss: "https://evil.test/t1" })
    const given = op.provider({ issuerFor: () => "https://evil.test/t1" })
    expect((await signIn(op, given)).fate).toBe("Configuration")
  })
})

test("customFetch makes every request, with the engine's limits", async () => {
  const op = createProvider()
  const seen: [string, unknown, boolean][] = []
  const transport: Fetch = (input, init) => {
    seen.push([new URL(String(input)).pathname, init?.redirect, init?.signal instanceof AbortSignal])
    return op.fetch(input, init)
  }
  await signIn(op, op.provider({ options: { [customFetch]: transport }, idToken: false }))
  const paths = ["/.well-known/openid-configuration", "/token", "/jwks", "/userinfo"]
  expect(seen).toEqual(paths.map((path) => [path, "manual", true]))
})
