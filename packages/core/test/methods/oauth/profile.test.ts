import { AccessDenied, OAuthProfileParseError } from "@latchkey/core/errors"
import { customFetch } from "@latchkey/core"
import type { Fetch, OIDCConfig, RawProfile } from "@latchkey/core/types"
import { createProvider, faults } from "@latchkey/testing"
import type { FakeProvider } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import type { Flow } from "../../../src/features/oauth/flow.js"
import { toProof } from "../../../src/features/oauth/profile.js"
import { open, outcome } from "../../flows/oauth/app.js"
import { unit } from "./unit.js"

const tokens = { access_token: "secret-at", token_type: "bearer" } as const
const redirectUri = "https://app.test/auth/callback/op"

async function proven(
  raw: RawProfile,
  given: Partial<OIDCConfig> = {},
  flow: Partial<Flow> = {},
  type: "oidc" | "oauth" = "oidc",
) {
  const its = unit(given)
  const server = {
    issuer: undefined,
    authorization: undefined,
    token: undefined,
    userinfo: undefined,
    jwks: undefined,
    revocation: undefined,
    metadata: undefined,
  }
  const whole = { state: "s", redirectUri, ...flow }
  const provider = { ...its.provider, type }
  const exchange = { auth: its.auth, provider, request: its.incoming(), params: {}, flow: whole, server }
  return toProof(exchange, tokens, raw)
}

const ada = { sub: "ada", email: "ada@app.test" }

describe("a provider verifies an email address", () => {
  const elsewhere: Partial<OIDCConfig> = { profile: () => ({ id: "ada", email: "ada@other.test" }) }
  test.each<["oidc" | "oauth", RawProfile, Partial<OIDCConfig>, boolean | undefined]>([
    ["oidc", { ...ada, email_verified: true }, {}, true],
    ["oidc", { ...ada, email: " ADA@app.test", email_verified: true }, {}, true],
    ["oidc", { ...ada, email_verified: false }, {}, false],
    ["oidc", { ...ada, email_verified: "true" }, {}, undefined],
    ["oidc", { ...ada, email_verified: "false" }, {}, false],
    ["oidc", { ...ada, email_verified: null }, {}, undefined],
    ["oidc", { ...ada, email_verified: 1 }, {}, false],
    ["oidc", ada, {}, undefined],
    ["oidc", { sub: "ada", email_verified: true }, {}, false],
    ["oidc", { ...ada, email: "no address", email_verified: true }, {}, false],
    ["oidc", { ...ada, email: "", email_verified: true }, {}, false],
    ["oidc", { ...ada, email: "Ada@localhost", email_verified: true }, {}, true],
    ["oidc", { ...ada, email_verified: true }, elsewhere, false],
    ["oidc", { sub: "ada", email_verified: true }, elsewhere, false],
    ["oauth", ada, {}, undefined],
    ["oauth", { ...ada, email_verified: true }, {}, true],
    ["oauth", { ...ada, email_verified: false }, {}, false],
    ["oauth", { ...ada, email_verified: null }, {}, undefined],
    ["oauth", { ...ada, email_verified: true }, elsewhere, false],
  ])("of %s with %j (%o): %s", async (type, raw, given, vouched) => {
    expect((await proven(raw, given, {}, type)).emailVerified).toBe(vouched)
  })
})

describe("the result of a provider sign-in", () => {
  test("has an email only if the profile has a text", async () => {
    const userWith = async (email: unknown) =>
      (await proven({ sub: "ada", email }, { profile: () => ({ id: "ada", email: email as string }) })).user
    for (const email of ["ada@app.test", "Ada@localhost", "ada", ""]) {
      expect((await userWith(email)).email).toBe(email.toLowerCase())
    }
    for (const email of [undefined, null, 7]) expect(await userWith(email)).not.toHaveProperty("email")
  })

  test("has the user who started it, and whether linking was requested", async () => {
    expect((await proven(ada)).intent).toEqual({ userId: undefined, explicit: false })
    expect((await proven(ada, {}, { link: false })).intent.explicit).toBe(false)
    const { intent, callbackUrl } = await proven(ada, {}, { userId: "u1", link: true, callbackUrl: "/a" })
    expect([intent, callbackUrl]).toEqual([{ userId: "u1", explicit: true }, "/a"])
  })

  test("keeps the fields from `account()`, and never a user", async () => {
    const account = () => ({ scope: "a", userId: "u9" })
    const { account: shown, stored } = await proven(ada, { account })
    const key = { provider: "op", type: "oidc", providerAccountId: "ada" }
    expect([shown, stored]).toStrictEqual([
      { ...tokens, ...key },
      { scope: "a", ...key },
    ])
    expect((await proven(ada, { account: () => undefined })).stored).toStrictEqual(key)
  })

  test.each<[unknown, unknown]>([
    ["a", "a"],
    [7, 7],
    [0, 0],
    [12345678901234567890n, "12345678901234567890"],
  ])("has the account id %s", async (id, expected) => {
    const { account } = await proven(ada, { profile: () => ({ id: id as string }) })
    expect(account.providerAccountId).toBe(expected)
  })

  test("accepts an account id of up to 1024 characters", async () => {
    const id = "x".repeat(1024)
    expect((await proven(ada, { profile: () => ({ id }) })).account.providerAccountId).toBe(id)
  })

  test.each<[string, unknown]>([
    ["none", undefined],
    ["null", null],
    ["an empty text", ""],
  ])("has the subject as the account id if `profile()` returns %s", async (_, id) => {
    const { account, user } = await proven(ada, {
      profile: async () => ({ id: id as string, name: "Ada", plan: "pro" }),
    })
    expect(account.providerAccountId).toBe("ada")
    expect(user).toMatchObject({ name: "Ada", plan: "pro" })
    expect(user.id).toMatch(/^[0-9a-f-]{36}$/)
    const plain = proven(ada, { profile: () => ({ id: id as string }) }, {}, "oauth")
    await expect(plain).rejects.toThrow(OAuthProfileParseError)
  })

  test.each<[string, unknown]>([
    ["the text undefined", "undefined"],
    ["the text null", "null"],
    ["the text NaN", "NaN"],
    ["the text of an object", "[object Object]"],
    ["no number", Number.NaN],
    ["an object", {}],
    ["a boolean", true],
  ])("is refused if the account id is %s", async (_, id) => {
    const refused = proven(ada, { profile: () => ({ id: id as string }) })
    await expect(refused).rejects.toThrow(OAuthProfileParseError)
    await expect(refused).rejects.toMatchObject({
      message: 'The provider "op" named no account. Return a permanent `id` from `profile()`',
      cause: { providerId: "op" },
    })
  })

  test.each<[string, string]>([
    ["has more than 1024 characters", "x".repeat(1025)],
    ["contains a control character", "a\u0085b"],
    ["contains a control character", "a\0b"],
    ["contains half of a character (a lone surrogate)", "a\uD83D"],
    ["contains half of a character (a lone surrogate)", "\uDE00a"],
  ])("is refused, with the reason, if the account id %s", async (problem, id) => {
    const refused = proven(ada, { profile: () => ({ id }) })
    await expect(refused).rejects.toThrow(OAuthProfileParseError)
    await expect(refused).rejects.toMatchObject({
      message: `The id of the account at the provider "op" ${problem}. Return another permanent \`id\` from \`profile()\``,
      cause: { providerId: "op" },
    })
  })

  test("keeps an account id with whole characters beyond U+FFFF", async () => {
    const { account } = await proven(ada, { profile: () => ({ id: "ada 😀" }) })
    expect(account.providerAccountId).toBe("ada 😀")
  })

  test.each([undefined, null, "ada"])("is refused if `profile()` returns %j", async (answer) => {
    await expect(proven(ada, { profile: () => answer as never })).rejects.toThrow(OAuthProfileParseError)
  })

  test("is refused if `profile()` throws, with its own AuthError or with the cause", async () => {
    const thrown = (reason: unknown) => proven(ada, { profile: () => Promise.reject(reason) })
    await expect(thrown(new AccessDenied("not you"))).rejects.toThrow(AccessDenied)
    const fault = new TypeError("x is no function")
    await expect(thrown(fault)).rejects.toMatchObject({
      type: "OAuthProfileParseError",
      cause: { providerId: "op", err: fault },
    })
    await expect(thrown("words")).rejects.toMatchObject({ cause: { err: { message: "words" } } })
  })
})

describe("signed userinfo", () => {
  const typed =
    (op: FakeProvider, type: string): Fetch =>
    async (input, init) => {
      const answer = await op.fetch(input, init)
      if (!String(input).endsWith("/userinfo")) return answer
      return new Response(await answer.text(), { headers: { "content-type": type } })
    }

  test.each(["application/jwt", "application/jwt; charset=utf-8"])("of the type %s is verified", async (type) => {
    for (const [fault, fate] of [
      [{}, "home"],
      [faults.signedUserinfoBadSignature, "Configuration"],
    ] as const) {
      const op = createProvider({ userinfo: "jwt", faults: fault })
      const { browser } = await open([op.provider({ idToken: false, [customFetch]: typed(op, type) })])
      await browser.signInWith(op, { as: "ada" })
      expect(outcome(browser)).toBe(fate)
    }
  })

  test("may use each algorithm of the metadata if the configuration sets none", async () => {
    const op = createProvider({ userinfo: "jwt", algorithm: "ES256" })
    const { browser } = await open([op.provider({ idToken: false, client: {} })])
    await browser.signInWith(op, { as: "ada" })
    expect(outcome(browser)).toBe("home")
  })

  test("needs no metadata if the configuration is complete", async () => {
    const op = createProvider({ userinfo: "jwt", faults: faults.discoveryUnreachable, issParameter: false })
    const given = op.provider({
      idToken: false,
      authorization: "https://op.test/authorize",
      token: "https://op.test/token",
      userinfo: "https://op.test/userinfo",
      jwks_endpoint: "https://op.test/jwks",
      client: { userinfo_signed_response_alg: "RS256", id_token_signed_response_alg: "RS256" },
    })
    const { browser } = await open([given])
    await browser.signInWith(op, { as: "ada" })
    expect(outcome(browser)).toBe("home")
  })
})

test("a userinfo response that isn't a JSON object is logged", async () => {
  const op = createProvider({ faults: faults.userinfoHtml })
  const { browser, log } = await open([op.oauthProvider()])
  await browser.signInWith(op, { as: "ada" })
  expect(log.entries.map(({ message }) => message).join()).toContain("The userinfo response is not a JSON object")
})
