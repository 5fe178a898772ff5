import { createHash } from "node:crypto"
import { createRemoteJWKSet, customFetch, jwtVerify } from "jose"
import { describe, expect, test } from "vitest"
import { createProvider, frozenClock, type SigningAlgorithm } from "../src/index.js"
import { codeFor, keysOf, redeem, redirectUri, startFlow, tokensFor } from "./relying-party.js"

describe("discovery", () => {
  test("returns the issuer and its endpoints, with the path of the issuer", async () => {
    const op = createProvider({ issuer: "https://op.test/tenant/" })
    const response = await op.fetch("https://op.test/tenant/.well-known/openid-configuration")
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(await response.json()).toMatchObject({
      issuer: "https://op.test/tenant/",
      token_endpoint: "https://op.test/tenant/token",
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
    })
  })
})

describe("authorization", () => {
  test("returns the code, the state and iss in the query", async () => {
    const op = createProvider()
    const answer = await op.authorize(startFlow(op).url, { as: "ada" })
    expect(answer).toMatchObject({ method: "GET" })
    const params = new URL(answer.method === "GET" ? answer.location : "").searchParams
    expect([...params.keys()]).toEqual(["code", "state", "iss"])
    expect(params.get("iss")).toBe(op.issuer)
    expect(params.get("state")).toBe("the-state")
  })

  test("returns them in a form for form_post", async () => {
    const op = createProvider()
    const answer = await op.authorize(startFlow(op, { response_mode: "form_post" }).url, { as: "ada" })
    expect(answer).toMatchObject({ method: "POST", action: redirectUri, fields: { state: "the-state" } })
  })

  test("returns an error without a code if the user declines", async () => {
    const op = createProvider()
    const answer = await op.authorize(startFlow(op).url, { error: "access_denied", description: "no" })
    expect(answer).toMatchObject({
      location: expect.stringContaining("error=access_denied&error_description=no&state="),
    })
    expect(answer).not.toMatchObject({ location: expect.stringContaining("code=") })
  })

  test.each([
    ["plain PKCE", { code_challenge_method: "plain" }, "invalid_request"],
    ["the implicit flow", { response_type: "token" }, "unsupported_response_type"],
    ["a fresh login without a page", { prompt: "none", max_age: "0" }, "login_required"],
  ])("answers %s with an error", async (_, extra, error) => {
    const op = createProvider()
    const answer = await op.authorize(startFlow(op, extra).url, { as: "ada" })
    expect(answer).toMatchObject({ location: expect.stringContaining(`error=${error}`) })
  })

  test("throws for an unregistered redirect URI and for an unknown client", async () => {
    const op = createProvider({ redirectUris: [redirectUri] })
    const evil = startFlow(op, { redirect_uri: "https://evil.test/" }).url
    await expect(op.authorize(evil, { as: "ada" })).rejects.toThrow("isn't registered")
    await expect(op.authorize(startFlow(op, { client_id: "evil" }).url, { as: "ada" })).rejects.toThrow("client")
  })

  test("records the requests", async () => {
    const op = createProvider()
    await op.authorize(startFlow(op).url, { as: "ada" })
    expect(op.authorizations).toMatchObject([{ redirect_uri: redirectUri, scope: "openid profile email" }])
  })
})

describe("tokens", () => {
  const algorithms: readonly SigningAlgorithm[] = ["RS256", "PS256", "ES256", "ES384", "EdDSA"]

  test.each(algorithms)("are signed with %s by a published key", async (algorithm) => {
    const op = createProvider({ algorithm })
    const { id_token, nonce, access_token } = await tokensFor(op)
    const { payload, protectedHeader } = await jwtVerify(id_token, await keysOf(op), {
      issuer: op.issuer,
      audience: op.clientId,
      algorithms: [algorithm],
      requiredClaims: ["exp", "iat", "sub"],
    })
    const hash = new Map<string, string>([
      ["EdDSA", "sha512"],
      ["ES384", "sha384"],
    ]).get(algorithm)
    const digest = createHash(hash ?? "sha256")
      .update(access_token)
      .digest()
    expect(protectedHeader.kid).toBeTypeOf("string")
    expect(payload).toMatchObject({ sub: "ada", email: "ada@example.test", email_verified: true, nonce })
    expect(payload["at_hash"]).toBe(Buffer.from(digest.subarray(0, digest.length / 2)).toString("base64url"))
  })

  test("are signed with the client secret under HS256", async () => {
    const op = createProvider({ algorithm: "HS256" })
    const { id_token } = await tokensFor(op)
    const secret = new TextEncoder().encode(op.clientSecret)
    await expect(jwtVerify(id_token, secret, { algorithms: ["HS256"] })).resolves.toBeDefined()
  })

  test("contain the claims of the scope", async () => {
    const op = createProvider()
    const { id_token } = await tokensFor(op, { scope: "openid email" })
    const { payload } = await jwtVerify(id_token, await keysOf(op))
    expect(payload).toMatchObject({ email: "ada@example.test" })
    expect(payload).not.toHaveProperty("name")
  })

  test("contain auth_time and acr on request, and times of the clock", async () => {
    const clock = frozenClock()
    const op = createProvider({ clock, lifetime: 60 })
    const { id_token } = await tokensFor(op, { max_age: "60", acr_values: "gold silver" })
    const { payload } = await jwtVerify(id_token, await keysOf(op), { currentDate: new Date(clock.now()) })
    const seconds = clock.now() / 1000
    expect(payload).toMatchObject({ iat: seconds, exp: seconds + 60, auth_time: seconds, acr: "gold" })
  })

  test("include no ID token without the openid scope", async () => {
    const op = createProvider()
    const { url, verifier } = startFlow(op, { scope: "read:user" })
    const response = await redeem(op, { code: await codeFor(op, url), verifier })
    expect(await response.json()).not.toHaveProperty("id_token")
  })

  test("contain the current claims of a changed user", async () => {
    const op = createProvider({ people: { eve: { sub: "42", email: "eve@example.test" } } })
    op.people.ada.email = "countess@example.test"
    const { id_token } = await tokensFor(op)
    expect((await jwtVerify(id_token, await keysOf(op))).payload).toMatchObject({ email: "countess@example.test" })
    expect(op.people["eve"]).toMatchObject({ sub: "42" })
  })
})

describe("keys", () => {
  test("change in a rotation", async () => {
    const op = createProvider()
    const remote = createRemoteJWKSet(new URL(`${op.issuer}/jwks`), { [customFetch]: op.fetch, cooldownDuration: 0 })
    await jwtVerify((await tokensFor(op)).id_token, remote)
    op.rotateKeys()
    await jwtVerify((await tokensFor(op)).id_token, remote)
    expect(op.requestsTo("jwks")).toHaveLength(2)
  })

  test("stay published with keepOld", async () => {
    const op = createProvider()
    const { id_token } = await tokensFor(op)
    op.rotateKeys({ keepOld: true })
    await expect(jwtVerify(id_token, await keysOf(op))).resolves.toBeDefined()
    op.rotateKeys()
    await expect(jwtVerify(id_token, await keysOf(op))).rejects.toThrow()
  })

  test("of two issuers differ", async () => {
    const other = createProvider({ issuer: "https://other.test" })
    const { id_token } = await tokensFor(createProvider())
    await expect(jwtVerify(id_token, await keysOf(other))).rejects.toThrow()
  })
})

describe("userinfo", () => {
  test("needs the access token in the header", async () => {
    const op = createProvider()
    const { access_token } = await tokensFor(op)
    const inQuery = await op.fetch(`${op.issuer}/userinfo?access_token=${access_token}`)
    expect(inQuery.status).toBe(401)
    const inHeader = await op.fetch(`${op.issuer}/userinfo`, { headers: { authorization: `Bearer ${access_token}` } })
    expect(await inHeader.json()).toMatchObject({ sub: "ada", email: "ada@example.test" })
  })

  test("rejects an expired access token", async () => {
    const clock = frozenClock()
    const op = createProvider({ clock })
    const { access_token } = await tokensFor(op)
    clock.advance({ hours: 1 })
    const response = await op.fetch(`${op.issuer}/userinfo`, { headers: { authorization: `Bearer ${access_token}` } })
    expect(response.status).toBe(401)
  })

  test("can be signed", async () => {
    const op = createProvider({ userinfo: "jwt" })
    const { access_token } = await tokensFor(op)
    const response = await op.fetch(`${op.issuer}/userinfo`, { headers: { authorization: `Bearer ${access_token}` } })
    expect(response.headers.get("content-type")).toBe("application/jwt")
    const expected = { issuer: op.issuer, audience: op.clientId }
    expect((await jwtVerify(await response.text(), await keysOf(op), expected)).payload.sub).toBe("ada")
  })
})

describe("logout", () => {
  test("returns to the client with its state", async () => {
    const op = createProvider()
    const { id_token } = await tokensFor(op)
    const query = new URLSearchParams({
      id_token_hint: id_token,
      post_logout_redirect_uri: "https://app.test/bye",
      state: "s",
    })
    expect(await op.endSession(`${op.issuer}/logout?${query}`)).toEqual({ location: "https://app.test/bye?state=s" })
  })

  test("rejects an ID token hint of another issuer", async () => {
    const { id_token } = await tokensFor(createProvider({ issuer: "https://other.test" }))
    const op = createProvider()
    await expect(op.endSession(`${op.issuer}/logout?id_token_hint=${id_token}`)).rejects.toThrow()
  })

  test("tokens are signed and can be changed", async () => {
    const op = createProvider()
    const token = await op.logoutToken({ as: "ada", sid: "1" })
    const { payload } = await jwtVerify(token, await keysOf(op), { typ: "logout+jwt", audience: op.clientId })
    expect(payload).toMatchObject({ sub: "ada", sid: "1", events: expect.anything(), jti: expect.any(String) })
    const nonced = await op.logoutToken({ as: "ada" }, (t) => ({ ...t, claims: { ...t.claims, nonce: "n" } }))
    expect((await jwtVerify(nonced, await keysOf(op))).payload).toMatchObject({ nonce: "n" })
  })
})
