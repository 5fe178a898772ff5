import { createProvider } from "@latchkey/testing"
import type { Answer, FakeProvider, Fault } from "@latchkey/testing"
import type { OAuth2Config, OIDCConfig } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { begin, open, outcome } from "./app.js"

function tokens(change: Answer["body"]): Fault {
  return { token: (answer) => ({ ...answer, body: { ...answer.body, ...change } }) }
}

async function stored(op: FakeProvider, given: OIDCConfig | OAuth2Config = op.provider()) {
  const { browser, adapter, log } = await open([given])
  await browser.signInWith(op, { as: "ada" })
  return { fate: outcome(browser), account: adapter.rows().accounts[0], log }
}

describe("the status", () => {
  test.each([201, 202, 400, 401, 403, 500, 503])("%i is an error, whatever the body says", async (status) => {
    const op = createProvider({ faults: { token: (answer) => ({ ...answer, status }) } })
    expect(await stored(op)).toMatchObject({ fate: "Configuration", account: undefined })
  })

  test("an error in the body of a 200 fails, and its details reach the log", async () => {
    const body = { error: "bad_verification_code", error_description: "expired by now" }
    const op = createProvider({ faults: { token: () => Response.json(body) } })
    const { fate, log } = await stored(op)
    expect(fate).toBe("Configuration")
    expect(log.entries.map(({ text }) => text).join()).toMatch(/bad_verification_code[\s\S]*expired by now/)
  })
})

test.each<[string | undefined, string, string]>([
  ["client-secret", "not client-secret", "not [redacted]"],
  ["", "undefined client", "undefined client"],
  [undefined, "undefined client", "undefined client"],
])("to a client with the secret %j the refusal %j is logged as %j", async (clientSecret, error, logged) => {
  const op = createProvider({ authentication: "none", clientSecret: "client-secret" })
  const conform = () => Response.json({ error })
  const { log } = await stored(op, op.provider({ clientSecret, checks: ["state"], token: { conform } }))
  expect(log.entries.map(({ text }) => text).join()).toContain(`error: '${logged}'`)
})

const fields: readonly (readonly [string, Answer["body"], "home" | "Configuration"])[] = [
  ["no access token", { access_token: undefined }, "Configuration"],
  ["an empty access token", { access_token: "" }, "Configuration"],
  ["an access token that is a number", { access_token: 1 }, "Configuration"],
  ["no token type", { token_type: undefined }, "home"],
  ["an empty token type", { token_type: "" }, "Configuration"],
  ["the token type DPoP", { token_type: "DPoP" }, "home"],
  ["the token type BEARER", { token_type: "BEARER" }, "home"],
  ["the token type mac", { token_type: "mac" }, "Configuration"],
  ["no expires_in", { expires_in: undefined }, "home"],
  ["expires_in as text", { expires_in: "60" }, "home"],
  ["expires_in 0", { expires_in: 0 }, "home"],
  ["an expires_in that isn't a number", { expires_in: "soon" }, "Configuration"],
  ["no refresh token", { refresh_token: undefined }, "home"],
  ["the refresh token null", { refresh_token: null }, "home"],
  ["an empty refresh token", { refresh_token: "" }, "Configuration"],
  ["a refresh token that is a list", { refresh_token: ["a"] }, "Configuration"],
  ["no scope", { scope: undefined }, "home"],
  ["the scope null", { scope: null }, "home"],
  ["the scope as a list", { scope: ["a", "b"] }, "home"],
  ["a scope that is a number", { scope: 7 }, "Configuration"],
  ["no ID token", { id_token: undefined }, "Configuration"],
]

test.each(fields)("%s (%o) ends as %s", async (_, change, fate) => {
  expect((await stored(createProvider({ faults: tokens(change) }))).fate).toBe(fate)
})

test("the token type is stored in lowercase, expires_in as a number, and a list of scopes with spaces", async () => {
  const op = createProvider({ faults: tokens({ token_type: "Bearer", scope: ["a", "b"], expires_in: "60" }) })
  const { account } = await stored(op)
  expect(account).toMatchObject({ token_type: "bearer", scope: "a b", expires_at: expect.any(Number) })
})

test.each([undefined, 0])("expires_in %o sets no expires_at", async (seconds) => {
  const { account } = await stored(createProvider({ faults: tokens({ expires_in: seconds }) }))
  expect(account?.expires_at).toBeUndefined()
})

test("a form-encoded response is read", async () => {
  const op = createProvider({
    faults: {
      token: ({ body }) =>
        new Response(new URLSearchParams({ access_token: String(body["access_token"]), scope: "a" }).toString(), {
          headers: { "content-type": "application/x-www-form-urlencoded" },
        }),
    },
  })
  expect(await stored(op, op.oauthProvider())).toMatchObject({ fate: "home", account: { scope: "a" } })
})

test("plain OAuth 2 stores an ID token without using it", async () => {
  const op = createProvider({ faults: tokens({ id_token: "e30.eyJzdWIiOiJncmFjZSJ9." }) })
  const { fate, account } = await stored(op, op.oauthProvider())
  expect(fate).toBe("home")
  expect(account).toMatchObject({ providerAccountId: "ada", id_token: "e30.eyJzdWIiOiJncmFjZSJ9." })
})

test("a token response can't name another account, user or provider", async () => {
  const change = { provider: "other", providerAccountId: "grace", userId: "1", type: "credentials" }
  const { account } = await stored(createProvider({ faults: tokens(change) }))
  expect(account).toMatchObject({ provider: "op", providerAccountId: "ada", type: "oidc" })
  expect(account?.userId).not.toBe("1")
})

describe("the ID token", () => {
  test("has to be signed with client.id_token_signed_response_alg, whatever the metadata say", async () => {
    const op = createProvider({ algorithm: "ES256" })
    expect((await stored(op, op.provider({ client: { id_token_signed_response_alg: "ES256" } }))).fate).toBe("home")
    const other = createProvider({ algorithm: "ES256" })
    const refused = await stored(other, other.provider({ client: { id_token_signed_response_alg: "RS256" } }))
    expect(refused.fate).toBe("Configuration")
  })

  test("has to be signed with RS256 by default", async () => {
    const silent: Fault = {
      discovery: (answer) => ({
        ...answer,
        body: { ...answer.body, id_token_signing_alg_values_supported: undefined },
      }),
    }
    expect((await stored(createProvider({ faults: silent }))).fate).toBe("home")
    expect((await stored(createProvider({ faults: silent, algorithm: "ES256" }))).fate).toBe("Configuration")
  })

  test("with HS256 is refused unless it's configured", async () => {
    const op = createProvider({ algorithm: "HS256" })
    expect((await stored(op, op.provider({ client: {} }))).fate).toBe("Configuration")
    const agreed = createProvider({ algorithm: "HS256" })
    expect((await stored(agreed)).fate).toBe("home")
  })

  test("has to have the nonce of the request, and no other", async () => {
    const faults: Fault = { idToken: (token) => ({ ...token, claims: { ...token.claims, nonce: "stray" } }) }
    const op = createProvider({ faults })
    expect((await stored(op, op.provider({ checks: ["pkce", "state"] }))).fate).toBe("Configuration")
  })

  test("may have several audiences if azp is this client and the others are trusted", async () => {
    const faults: Fault = {
      idToken: (token) => ({ ...token, claims: { ...token.claims, aud: ["latchkey", "api"], azp: "latchkey" } }),
    }
    expect((await stored(createProvider({ faults }))).fate).toBe("Configuration")
    const op = createProvider({ faults })
    expect((await stored(op, op.provider({ trustedAudiences: ["api"] }))).fate).toBe("home")
  })
})

const asked: readonly (readonly [string, Record<string, string>, Record<string, unknown>, string])[] = [
  ["an older authentication than max_age", { max_age: "60" }, { auth_time: 1 }, "OAuthCallbackError"],
  ["no auth_time under max_age", { max_age: "60" }, { auth_time: undefined }, "OAuthCallbackError"],
  ["another acr than asked for", { acr_values: "gold" }, { acr: "bronze" }, "OAuthCallbackError"],
  ["one of the acr asked for", { acr_values: "gold silver" }, { acr: "silver" }, "home"],
]
test.each(asked)(
  "%s (%o, %o) ends as %s, if a browser asks only under strict security",
  async (_, params, claims, fate) => {
    for (const [security, given, query, expected] of [
      ["compatible", {}, params, "home"],
      ["strict", {}, params, fate],
      ["compatible", params, {}, fate],
      ["strict", params, {}, fate],
    ] as const) {
      const op = createProvider({
        faults: { idToken: (token) => ({ ...token, claims: { ...token.claims, ...claims } }) },
      })
      const { browser } = await open([op.provider({ authorization: { params: given } })], { security })
      await begin(browser, "op", query)
      await browser.consentAt(op, { as: "ada" })
      expect(outcome(browser)).toBe(expected)
    }
  },
)

test("the userinfo request has a User-Agent and the token in the Authorization header only", async () => {
  const op = createProvider()
  await stored(op, op.oauthProvider())
  const [request] = op.requestsTo("userinfo")
  expect(request?.headers.get("authorization")).toMatch(/^Bearer \S+$/)
  expect(request?.headers.get("user-agent")).toBe("latchkey")
  expect(request?.url.search).toBe("")
})
