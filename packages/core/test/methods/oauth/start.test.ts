import { OAuthSignInError } from "@latchkey/core/errors"
import type { OIDCConfig } from "@latchkey/core/types"
import { createProvider, faults } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { findFlow } from "../../../src/features/oauth/flow.js"
import { start } from "../../../src/features/oauth/oauth.js"
import { begin, open } from "../../flows/oauth/app.js"
import { type Arriving, unit } from "./unit.js"

/** The redirect of a sign-in, and the content of its flow cookie. */
async function begun(arriving: Omit<Arriving, "method"> = {}, given: Partial<OIDCConfig> = {}) {
  const its = unit({ authorization: "https://op.test/authorize", ...given })
  const outcome = await start(its.auth, its.provider, its.incoming({ method: "POST", ...arriving }))
  if (outcome.kind !== "redirect") throw new Error("the sign-in leads nowhere")
  const { searchParams } = new URL(outcome.to)
  const state = searchParams.get("state") ?? ""
  const flow = await findFlow(its.auth, its.provider, its.incoming({ cookies: outcome.cookies }), { state })
  return { searchParams, flow }
}

describe("a flow cookie stores", () => {
  test.each([
    [true, true],
    ["true", true],
    ["TRUE", false],
    ["1", false],
    [1, false],
    [undefined, false],
  ])("whether linking was requested by %j: %s", async (link, asked) => {
    expect((await begun({ params: { link } })).flow.link).toBe(asked)
  })

  test.each([
    ["60", 60],
    ["0", 0],
    ["99999999999", 99_999_999_999],
    ["1e3", undefined],
    ["-60", undefined],
    ["x60", undefined],
    ["60x", undefined],
    ["", undefined],
  ])("the configured `max_age` %j: %s", async (max_age, seconds) => {
    const { flow, searchParams } = await begun(
      {},
      { authorization: { url: "https://op.test/authorize", params: { max_age } } },
    )
    expect([flow.requires?.maxAge, searchParams.get("max_age")]).toEqual([seconds, max_age])
  })

  test("the configured `acr_values`, but not those that a browser adds", async () => {
    expect((await begun()).flow.requires).toBeUndefined()
    expect((await begun({ query: { acr_values: "gold silver", max_age: "5" } })).flow.requires).toBeUndefined()
    const authorization = { url: "https://op.test/authorize", params: { acr_values: "tin", max_age: 5 } }
    const { flow } = await begun({}, { authorization })
    expect(flow.requires).toEqual({ acr: [["tin"]], maxAge: 5 })
  })

  test("what the application's own code asks for, in place of the configuration", async () => {
    const authorization = {
      url: "https://op.test/authorize",
      params: { acr_values: "tin", max_age: 5, prompt: "none" },
    }
    const its = unit({ authorization })
    const authorizationParams = { acr_values: "gold", max_age: "60", hd: "app.test" }
    const query = { acr_values: "pwd", max_age: "99", hd: "evil.test", prompt: "login" }
    const outcome = await start(its.auth, its.provider, {
      ...its.incoming({ method: "POST", query }),
      authorizationParams,
    })
    const { searchParams } = new URL(outcome.kind === "redirect" ? outcome.to : "")
    const sent = ["acr_values", "max_age", "hd", "prompt"].map((name) => searchParams.getAll(name))
    expect(sent).toEqual([["gold"], ["60"], ["app.test"], ["none"]])
    const cookies = its.incoming({ cookies: outcome.cookies })
    const { requires } = await findFlow(its.auth, its.provider, cookies, { state: searchParams.get("state") ?? "" })
    expect(requires).toEqual({ acr: [["gold"]], maxAge: 60 })
  })

  test.each<[string, Omit<Arriving, "method">, string]>([
    ["asked for", { params: { callbackUrl: "/body" }, query: { callbackUrl: "/query" } }, "/body"],
    ["asked for in the address", { query: { callbackUrl: "/query" } }, "/query"],
    ["remembered", { cookies: [{ name: "__Secure-authjs.callback-url", value: "/kept" }] }, "/kept"],
    ["empty", { cookies: [{ name: "__Secure-authjs.callback-url", value: "" }] }, ""],
  ])("the callback URL that is %s", async (_, arriving, path) => {
    expect((await begun(arriving)).flow.callbackUrl).toBe(`https://app.test${path}`)
  })

  test("the checks it sent", async () => {
    const { flow, searchParams } = await begun()
    expect([flow.state, flow.nonce]).toEqual([searchParams.get("state"), searchParams.get("nonce")])
    expect(flow.verifier).toMatch(/^[\w-]{43}$/)
    const bare = await begun({}, { checks: ["state"] })
    expect([bare.flow.nonce, bare.flow.verifier]).toEqual([undefined, undefined])
    for (const name of ["nonce", "code_challenge", "code_challenge_method"]) {
      expect(bare.searchParams.has(name)).toBe(false)
    }
  })
})

describe("an authorization request", () => {
  test("uses the configuration before the request, and the request before defaults", async () => {
    const url = "https://op.test/authorize?response_type=code%20id_token&a=b&prompt=none"
    const authorization = { url, params: { prompt: "login", redirect_uri: "https://app.test/own" } }
    const query = { prompt: "consent", a: "c", scope: "openid", hd: "app.test" }
    const { searchParams, flow } = await begun({ query }, { authorization })
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: "code id_token",
      client_id: "app",
      a: "b",
      prompt: "login",
      scope: "openid",
      hd: "app.test",
      redirect_uri: "https://app.test/own",
    })
    expect(flow.redirectUri).toBe("https://app.test/own")
  })

  test("accepts parameters of up to 1024 characters from the request", async () => {
    const { searchParams } = await begun({ query: { login_hint: "a".repeat(1024), hd: "b".repeat(1025) } })
    expect([searchParams.get("login_hint")?.length, searchParams.has("hd")]).toEqual([1024, false])
  })

  test("is refused without a client secret, unless a hook requests the tokens", async () => {
    await expect(begun({}, { clientSecret: undefined })).rejects.toThrow("has no `clientSecret`")
    const request = () => Promise.reject(new Error("not yet"))
    await expect(begun({}, { clientSecret: undefined, token: { request } })).resolves.toBeDefined()
  })

  test("is refused if the provider has no authorization endpoint", async () => {
    const op = createProvider({
      faults: { discovery: (answer) => ({ ...answer, body: { ...answer.body, authorization_endpoint: undefined } }) },
    })
    const { browser, log } = await open([op.provider()])
    await begin(browser)
    const [error] = log.entries.filter(({ level }) => level === "error").map(({ detail }) => detail)
    expect(error).toBeInstanceOf(OAuthSignInError)
    expect(error).toMatchObject({ cause: { provider: "op" } })
  })
})

test.each([
  [["pkce"], faults.noPkceSupport, 1],
  [["pkce", "nonce"], faults.onlyPlainPkceSupport, 1],
  [["nonce"], faults.noPkceSupport, 0],
  [["pkce"], {}, 0],
] as const)(
  "with the checks %j of a provider with the fault %o, the missing support is warned of %i times",
  async (checks, fault, times) => {
    const op = createProvider({ faults: fault })
    const { browser, log } = await open([op.provider({ checks })])
    await begin(browser)
    await begin(browser)
    const warnings = log.entries.filter(({ level }) => level === "warn")
    expect(warnings.map(({ message, detail }) => [message, detail])).toEqual(
      Array.from({ length: times }, () => [
        "pkce-unsupported",
        'The metadata of the provider "op" doesn\'t list PKCE with S256, so state protects its responses, and nonce with OpenID Connect',
      ]),
    )
  },
)
