import { createHmac } from "node:crypto"
import { AuthError, InvalidCheck, InvalidEndpoints, InvalidProvider } from "@latchkey/core/errors"
import type { OIDCConfig } from "@latchkey/core/types"
import { frozenClock } from "@latchkey/testing"
import { describe, expect, test } from "vitest"
import { useOnce } from "../../../src/features/oauth/flow.js"
import { assertIdToken, decodeBytes, tenantIssuer, verifySignature } from "../../../src/features/oauth/verify-token.js"
import { oauth } from "../../../src/features/oauth/oauth.js"
import { forward } from "../../../src/features/oauth/proxy.js"
import { type Server, serverForStart } from "../../../src/features/oauth/server.js"
import { loggerOf } from "../../../src/observability/logger.js"
import { clientSecret, unit } from "./unit.js"

const keyless: Server = {
  issuer: "https://op.test",
  authorization: undefined,
  token: undefined,
  userinfo: undefined,
  jwks: undefined,
  revocation: undefined,
  metadata: undefined,
}

function mac(alg: string, key = clientSecret): string {
  const text = `${btoa(JSON.stringify({ alg })).replaceAll("=", "")}.e30`
  const hash = `sha${alg.slice(2)}`
  return `${text}.${createHmac(hash, key).update(text).digest("base64url")}`
}

describe("an HMAC with the client secret", () => {
  const verify = async (
    jwt: string,
    client: NonNullable<OIDCConfig["client"]>,
    given: { clientSecret?: undefined } = {},
  ) => {
    const { auth, provider } = unit({ client })
    return verifySignature(auth, { ...provider, ...given }, keyless, { answer: new Response(), jwt })
  }

  test.each<NonNullable<OIDCConfig["client"]>>([
    { id_token_signed_response_alg: "HS256" },
    { userinfo_signed_response_alg: "HS256" },
  ])("is accepted if configured (%j)", async (client) => {
    await expect(verify(mac("HS256"), client)).resolves.toBeUndefined()
    await expect(verify(mac("HS256", "another"), client)).rejects.toThrow("The signature of the token is wrong")
  })

  test.each([
    ["HS256", {}],
    ["HS256", { id_token_signed_response_alg: "RS256" }],
    ["HS512", { id_token_signed_response_alg: "HS512" }],
    ["HS512", { id_token_signed_response_alg: "HS256" }],
  ])("with %s is refused if %j is configured", async (alg, client) => {
    await expect(verify(mac(alg), client)).rejects.toThrow("The token isn't signed with the configured algorithm")
  })

  test("is refused without the secret, with a message", async () => {
    const verified = verify(mac("HS256"), { id_token_signed_response_alg: "HS256" }, { clientSecret: undefined })
    await expect(verified).rejects.toThrow(AuthError)
    await expect(verified).rejects.toThrow('The provider "op" signs with the client secret. Set `clientSecret`')
  })
})

test("a signature is refused without keys", async () => {
  const { auth, provider } = unit()
  const verified = verifySignature(auth, provider, keyless, { answer: new Response(), jwt: mac("RS256") })
  await expect(verified).rejects.toThrow("publishes no keys")
})

test.each(["a+b", "a/b", "ab=", "a b", "a\nb", "ab\n", " ab", "a"])("%j is not base64url", (text) => {
  expect(() => decodeBytes(text)).toThrow("The token is not base64url")
})

test("both base64 alphabets are accepted", () => {
  expect([...decodeBytes("-_-_AQ")]).toEqual([251, 255, 191, 1])
})

describe("a sign-in", () => {
  // Later than any other sign-in of this process.
  const { auth, provider, clock } = unit({}, frozenClock(Date.UTC(2100, 0, 1)))
  const use = (state?: string) => useOnce(auth, provider, state)

  test("is finished once during the lifetime of its cookie, and then forgotten", () => {
    use("one")
    expect(() => use("one")).toThrow(InvalidCheck)
    expect(() => use("one")).toThrow("was used before")
    clock.advance({ seconds: 899 })
    use("two")
    expect(() => use("one")).toThrow(InvalidCheck)
    clock.advance({ seconds: 1 })
    use("three")
    use("one")
    expect(() => use("two")).toThrow(InvalidCheck)
  })

  test("without state is not recorded", () => {
    use()
    use()
  })

  test("is forgotten after a hundred thousand others", () => {
    clock.advance({ hours: 1 })
    for (let count = 0; count < 100_000; count++) use(`of many ${count}`)
    expect(() => use("of many 0")).toThrow(InvalidCheck)
    use("one more")
    expect(() => use("of many 1")).toThrow(InvalidCheck)
    use("of many 0")
  })
})

describe("an ID token", () => {
  const idToken = `e30.${btoa(JSON.stringify({ tid: "t1" }))}.`

  test("must have the issuer of the server, or of the tenant from the hook", () => {
    const { provider } = unit()
    expect(tenantIssuer(provider, keyless, idToken)).toBe("https://op.test")
    const issuerFor = (claims: object, issuer: string) => `${issuer}/${String(Object(claims)["tid"])}`
    expect(tenantIssuer({ ...provider, issuerFor }, keyless, idToken)).toBe("https://op.test/t1")
    expect(tenantIssuer({ ...provider, issuerFor }, keyless, undefined)).toBe("https://op.test")
    const elsewhere = () => "https://evil.test"
    expect(() => tenantIssuer({ ...provider, issuerFor: elsewhere }, keyless, idToken)).toThrow("of another server")
    expect(() => tenantIssuer({ ...provider, issuerFor }, keyless, "e30.W10.")).toThrow("ID token is not a JSON object")
  })

  const begun = 1_800_000_000
  const assertMade = (at: number, maxAge?: number) => {
    const { auth, provider } = unit({ client: { id_token_max_age: maxAge } }, frozenClock(begun * 1000 + 999))
    const claims = { iss: "https://op.test", sub: "ada", aud: "app", iat: begun + at, exp: begun + 9999 }
    const exchange = { auth, provider, flow: { state: undefined, redirectUri: "" } }
    return assertIdToken(exchange, { claims, jwt: "e30.e30.", accessToken: "" })
  }

  test.each([
    [-600, undefined],
    [60, undefined],
    [-3600, 3600],
    [-1, 1],
  ])("may be issued %i seconds from now (at most: %s), and not beyond", async (at, maxAge) => {
    await expect(assertMade(at, maxAge)).resolves.toBeUndefined()
    await expect(assertMade(at + Math.sign(at), maxAge)).rejects.toThrow("wasn't issued just now")
  })

  test("is refused without an issuer, or with `none` as the algorithm", () => {
    const { provider } = unit()
    const withoutIssuer = { ...keyless, issuer: undefined }
    expect(() => tenantIssuer(provider, withoutIssuer, idToken)).toThrow(AuthError)
    expect(() => tenantIssuer(provider, withoutIssuer, idToken)).toThrow(
      '"op" has no issuer to check its ID tokens against',
    )
    const unsigned = { ...provider, client: { id_token_signed_response_alg: "none" } }
    expect(() => tenantIssuer(unsigned, keyless, idToken)).toThrow("Remove `id_token_signed_response_alg`")
  })
})

describe("a proxy", () => {
  const its = unit({ redirectProxyUrl: "https://app.test/auth" })
  const passOn = async (sealed: Record<string, string>, redirectProxyOrigins?: readonly string[]) => {
    const incoming = its.incoming()
    const state = await incoming.scheme.sealer.seal("encodedState", sealed, 60)
    return forward({ ...its.auth, redirectProxyOrigins }, its.provider, incoming, { state, code: "c" })
  }

  test.each([
    ["https://pr-12.preview.test", "https://*.preview.test", true],
    ["https://pr_1.preview.test:8443", "https://*.preview.test:8443", true],
    ["https://a.preview.test", "https://a.preview.test/auth", true],
    ["https://a.another.test", "https://*.preview.test", false],
    ["http://a.preview.test", "https://*.preview.test", false],
    ["https://a.b.preview.test", "https://*.preview.test", false],
    ["https://preview.test", "https://*.preview.test", false],
    ["https://.preview.test", "https://*.preview.test", false],
    ["https://a.preview.test:444", "https://*.preview.test", false],
    ["https://b.preview.test", "https://a.preview.test", false],
    ["https://a.preview.test", "a.preview.test", true],
    ["http://a.preview.test", "a.preview.test", false],
  ])("serves %s if %s is listed: %s", async (origin, listed, served) => {
    const passed = passOn({ origin: `${origin}/auth/callback/op` }, ["https://other.test", listed])
    if (served) expect(await passed).toMatchObject({ kind: "redirect", to: expect.stringContaining(origin) })
    else await expect(passed).rejects.toThrow(`The redirect proxy doesn't serve ${origin}`)
  })

  test("passes on callbacks of other deployments with all parameters, and none to itself", async () => {
    const outcome = await passOn({ origin: "https://a.test/auth/callback/op" })
    expect(outcome).toMatchObject({ kind: "redirect", to: expect.stringMatching(/^https:\/\/a\.test\/.*[?&]code=c$/) })
    expect(await passOn({ origin: "https://app.test/auth/callback/op" })).toBeUndefined()
    expect(await forward(its.auth, its.provider, its.incoming(), { code: "c" })).toBeUndefined()
  })

  test("without a list passes on what deployments of Auth.js asked for, with one warning, and nothing under strict", async () => {
    const elsewhere = { origin: "https://a.test/auth/callback/op" }
    const warned: string[] = []
    const logger = loggerOf({ logger: { warn: (code) => void warned.push(code) } })
    const incoming = its.incoming()
    const state = await incoming.scheme.sealer.seal("encodedState", elsewhere, 60)
    const named = await incoming.scheme.sealer.seal("encodedState", { ...elsewhere, named: true }, 60)
    const pass = async (namedDeployments: boolean, state: string) =>
      forward(
        { ...its.auth, rules: { ...its.auth.rules, namedDeployments }, logger, logSink: logger },
        its.provider,
        incoming,
        { state, code: "c" },
      )
    expect([await pass(false, named), await pass(true, named)]).toMatchObject([
      { kind: "redirect" },
      { kind: "redirect" },
    ])
    expect(warned).toEqual([])
    await expect(pass(true, state)).rejects.toThrow("The redirect proxy doesn't serve https://a.test")
    for (const _ of [1, 2]) expect(await pass(false, state)).toMatchObject({ kind: "redirect" })
    expect(warned).toEqual(["redirect-proxy-open"])
  })

  test.each([{}, { origin: "a.test" }])("refuses an encrypted state without an origin (%j)", async (sealed) => {
    await expect(passOn(sealed)).rejects.toThrow(InvalidCheck)
    await expect(passOn(sealed)).rejects.toThrow("no deployment behind this proxy sealed its state")
  })
})

test("a server without issuer and endpoints is an error", async () => {
  const { auth, provider } = unit()
  const nameless = serverForStart(auth, { ...provider, issuer: undefined })
  await expect(nameless).rejects.toThrow(InvalidEndpoints)
  await expect(nameless).rejects.toThrow('The provider "op" lacks an endpoint. Set `issuer`')
})

test("a provider of another type is an error", async () => {
  const { auth, incoming } = unit()
  const password = auth.providers.get("credentials")
  if (password === undefined) throw new Error("there is no such provider")
  for (const done of [oauth.start(auth, password, incoming()), oauth.finish(auth, password, incoming())]) {
    await expect(done).rejects.toThrow(InvalidProvider)
    await expect(done).rejects.toThrow('The provider "credentials" isn\'t an OAuth provider')
  }
})
