import { customFetch } from "@latchkey/core"
import { AuthError } from "@latchkey/core/errors"
import type { OIDCConfig, SecurityMode } from "@latchkey/core/types"
import { describe, expect, test } from "vitest"
import { ProviderError } from "../../../src/features/oauth/guarded-fetch.js"
import { serverForCallback, serverForStart } from "../../../src/features/oauth/server.js"
import { unit } from "./unit.js"

const issuer = "https://op.test"
const own = {
  authorization: "https://own.test/authorize",
  token: "https://own.test/token",
  userinfo: "https://own.test/userinfo",
}
const published = {
  issuer,
  authorization_endpoint: "https://op.test/authorize",
  token_endpoint: "https://op.test/token",
  userinfo_endpoint: "https://op.test/userinfo",
  jwks_uri: "https://op.test/jwks",
}

interface Place {
  readonly answer?: unknown
  readonly status?: number
  readonly security?: SecurityMode
}

/** A provider with this document, and the requests for it. */
function place(given: Partial<OIDCConfig> = {}, { answer = published, status = 200, security }: Place = {}) {
  const asked: string[] = []
  const fetch = async (input: string | URL | Request) => {
    asked.push(String(input))
    return Response.json(answer, { status })
  }
  const its = unit({ [customFetch]: fetch, ...given }, undefined, security)
  return {
    ...its,
    asked,
    start: () => serverForStart(its.auth, its.provider),
    callback: () => serverForCallback(its.auth, its.provider),
  }
}

const address = "https://op.test/.well-known/openid-configuration"
const strict = { security: "strict" } as const

describe("discovery", () => {
  test.each<[string, Partial<OIDCConfig>, readonly string[], readonly string[]]>([
    ["nothing is configured", {}, [address], [address]],
    ["the authorization endpoint is", { authorization: own.authorization }, [], [address]],
    ["all but the keys is", own, [], [address]],
    ["the keys are too", { ...own, jwks_endpoint: "https://own.test/jwks" }, [], []],
    ["userinfo is not needed", { ...own, userinfo: undefined, jwks_endpoint: "https://own.test/jwks" }, [], []],
    [
      "userinfo is needed",
      { ...own, userinfo: undefined, idToken: false, jwks_endpoint: "https://own.test/jwks" },
      [],
      [address],
    ],
    [
      "hooks replace the endpoints",
      {
        authorization: own.authorization,
        token: { request: () => Promise.reject(new Error("not asked")) },
        userinfo: { request: () => ({}) },
        idToken: false,
        jwks_endpoint: "https://own.test/jwks",
      },
      [],
      [],
    ],
    ["there is no issuer", { ...own, issuer: undefined }, [], []],
    [
      "the document has another URL",
      { ...own, issuer: undefined, wellKnown: "https://op.test/meta" },
      [],
      ["https://op.test/meta"],
    ],
  ])("if %s", async (_, given, atStart, atCallback) => {
    const [one, two] = [place(given), place(given)]
    await one.start()
    await two.callback()
    expect([one.asked, two.asked]).toEqual([atStart, atCallback])
  })

  test("fills in only what the configuration omits", async () => {
    const found = await place({ token: own.token }).callback()
    const text = Object.fromEntries(
      Object.entries(found).map(([name, value]) => [name, value instanceof URL ? value.href : value]),
    )
    expect(text).toMatchObject({
      issuer,
      authorization: published.authorization_endpoint,
      token: own.token,
      userinfo: published.userinfo_endpoint,
      jwks: published.jwks_uri,
    })
    const nothing = await place({ ...own, jwks_endpoint: "https://own.test/jwks" }).callback()
    expect([nothing.issuer, nothing.metadata, nothing.jwks?.href]).toEqual([issuer, undefined, "https://own.test/jwks"])
  })

  test("reads lists of strings, and drops other elements", async () => {
    const answer = {
      issuer,
      code_challenge_methods_supported: ["S256", 7, null],
      id_token_signing_alg_values_supported: "RS256",
      userinfo_signing_alg_values_supported: [],
      token_endpoint_auth_methods_supported: ["none"],
      authorization_response_iss_parameter_supported: "true",
      jwks_uri: 7,
    }
    const { metadata } = await place(own, { answer }).callback()
    expect(metadata).toEqual({
      issuer,
      codeChallengeMethods: ["S256"],
      idTokenAlgorithms: undefined,
      userinfoAlgorithms: [],
      authMethods: ["none"],
      sendsIssuer: false,
    })
    const sends = { issuer, authorization_response_iss_parameter_supported: true }
    expect((await place(own, { answer: sends }).callback()).metadata?.sendsIssuer).toBe(true)
  })

  test("may fail only if nothing is needed", async () => {
    expect((await place(own, { status: 404 }).callback()).metadata).toBeUndefined()
    for (const failing of [place({}, { status: 404 }).callback(), place(own, { status: 500 }).callback()]) {
      await expect(failing).rejects.toThrow(ProviderError)
      await expect(failing).rejects.toThrow(`The discovery document at ${address} answered with status`)
    }
  })
})

describe("the document's issuer", () => {
  const wellKnown = "https://op.test/meta"
  test.each<[string | undefined, string, Partial<OIDCConfig>, boolean, boolean]>([
    [issuer, issuer, {}, true, true],
    [issuer, `${issuer}/`, {}, true, false],
    [`${issuer}/`, issuer, {}, true, false],
    [issuer, "https://OP.test", {}, true, false],
    [issuer, `${issuer}/tenant`, {}, false, false],
    [issuer, "https://evil.test", {}, false, false],
    [issuer, "op.test", {}, false, false],
    [issuer, `${issuer}/{tenant}`, { issuerFor: () => issuer }, true, true],
    [issuer, "https://evil.test/{tenant}", { issuerFor: () => issuer }, false, false],
    [issuer, "{tenant}", { issuerFor: () => issuer }, false, false],
    [undefined, issuer, { wellKnown }, true, true],
    [undefined, `${issuer}/tenant`, { wellKnown }, true, true],
    [undefined, "https://evil.test", { wellKnown }, true, false],
  ])("with %s configured may be %s (%o): %s, in strict mode: %s", async (configured, found, given, lax, exact) => {
    for (const [security, fits] of [
      ["compatible", lax],
      ["strict", exact],
    ] as const) {
      const callback = place(
        { issuer: configured, ...given },
        { answer: { ...published, issuer: found }, security },
      ).callback()
      if (fits) expect((await callback).issuer).toBe(found)
      else {
        await expect(callback).rejects.toThrow(AuthError)
        await expect(callback).rejects.toMatchObject({
          message: expect.stringContaining('The discovery document of the provider "op" names another issuer'),
          cause: { providerId: "op", found },
        })
      }
    }
  })

  test("is truncated in the message if it is long", async () => {
    const long = `https://evil.test/${"x".repeat(1000)}`
    const refused = place({}, { answer: { ...published, issuer: long } }).callback()
    await expect(refused).rejects.toMatchObject({ cause: { found: long.slice(0, 500) } })
  })
})

describe("an endpoint from the metadata", () => {
  const naming = (endpoint: unknown, given: Partial<OIDCConfig> = {}, security?: SecurityMode) =>
    place(given, {
      answer: { ...published, issuer: given.issuer ?? issuer, token_endpoint: endpoint },
      ...(security && { security }),
    }).callback()

  test.each(["http://localhost:1/token", "https://127.0.0.1/token", "/token", "", "%"])(
    "may not be %j",
    async (endpoint) => {
      await expect(naming(endpoint)).rejects.toThrow("names an endpoint that isn't a public URL")
    },
  )

  test("may be on localhost if the document is", async () => {
    const local = "http://localhost:9"
    expect((await naming(`${local}/token`, { issuer: local })).token?.href).toBe(`${local}/token`)
    await expect(naming("http://op.test/token", { issuer: local })).rejects.toThrow(AuthError)
  })
})

test("a cached document is used only for its own URL and options", async () => {
  let status = 404
  const fetch = async () => Response.json({ ...published, issuer: `${issuer}/` }, { status })
  const given = { [customFetch]: fetch }
  const ask = (more: Partial<OIDCConfig>, security?: SecurityMode) => {
    const { auth, provider } = unit({ ...given, ...more }, undefined, security)
    return serverForCallback(auth, provider)
  }
  expect((await ask(own)).metadata).toBeUndefined()
  await expect(ask({})).rejects.toThrow("answered with status 404")
  status = 200
  expect((await ask({})).issuer).toBe(`${issuer}/`)
  await expect(ask({}, strict.security)).rejects.toThrow("another issuer")
  await expect(ask({ issuer: "https://other.test", wellKnown: address })).rejects.toThrow("another issuer")
})
