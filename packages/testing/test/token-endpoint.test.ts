import { createHash } from "node:crypto"
import { jwtVerify, SignJWT } from "jose"
import { describe, expect, test } from "vitest"
import { createProvider, type FakeProvider, frozenClock } from "../src/index.js"
import { basic, codeFor, keysOf, reasonOf, redeem, startFlow, tokensFor } from "./relying-party.js"

describe("the token endpoint rejects", () => {
  async function redeemed(
    op: FakeProvider,
    change: { form?: Record<string, string>; headers?: Record<string, string>; verifier?: string },
  ): Promise<string> {
    const { url, verifier } = startFlow(op)
    return await reasonOf(await redeem(op, { code: await codeFor(op, url), verifier, ...change }))
  }

  test.each([
    ["another redirect URI", { form: { redirect_uri: "https://app.test/other" } }, "redirect-uri"],
    ["another verifier", { verifier: "a".repeat(43) }, "pkce"],
    ["a code it never issued", { form: { code: "mine" } }, "code-unknown"],
    ["another grant", { form: { grant_type: "password" } }, "grant-type"],
    ["a wrong secret", { headers: { authorization: basic("latchkey", "wrong") } }, "client-authentication"],
    ["no secret", { headers: {}, form: { client_id: "latchkey" } }, "client-authentication"],
    [
      "two secrets at once",
      { form: { client_id: "latchkey", client_secret: "fake-client-secret-of-forty-three-characters" } },
      "client-authentication",
    ],
  ])("%s", async (_, change, reason) => {
    expect(await redeemed(createProvider(), change)).toContain(reason)
  })

  test("a used code", async () => {
    const op = createProvider()
    const { url, verifier } = startFlow(op)
    const code = await codeFor(op, url)
    const [first, second] = await Promise.all([redeem(op, { code, verifier }), redeem(op, { code, verifier })])
    expect([first.status, second.status].toSorted((a, b) => a - b)).toEqual([200, 400])
  })

  test("a code after ten minutes", async () => {
    const clock = frozenClock()
    const op = createProvider({ clock })
    const { url, verifier } = startFlow(op)
    const code = await codeFor(op, url)
    clock.advance({ minutes: 10 })
    expect(await reasonOf(await redeem(op, { code, verifier }))).toContain("code-expired")
  })

  test("a verifier that is too short, even if it matches the challenge", async () => {
    const op = createProvider()
    const challenge = createHash("sha256").update("short").digest("base64url")
    const { url } = startFlow(op, { code_challenge: challenge })
    const response = await redeem(op, { code: await codeFor(op, url), verifier: "short" })
    expect(await reasonOf(response)).toContain("pkce")
  })

  test("a verifier without a challenge", async () => {
    const op = createProvider()
    const { url, verifier } = startFlow(op)
    url.searchParams.delete("code_challenge")
    url.searchParams.delete("code_challenge_method")
    expect(await reasonOf(await redeem(op, { code: await codeFor(op, url), verifier }))).toContain("pkce")
  })
})

describe("client authentication", () => {
  test.each([
    ["a:b %+é", "sécret !'()*~ with: spaces & + signs"],
    ["client", "plain"],
  ])("by basic decodes client %j as RFC 6749 encodes it", async (clientId, clientSecret) => {
    const op = createProvider({ clientId, clientSecret, authentication: "client_secret_basic" })
    await expect(tokensFor(op)).resolves.toHaveProperty("id_token")
  })

  test("by basic rejects parts that aren't form-encoded", async () => {
    const op = createProvider({ clientId: "a+b", clientSecret: "50%" })
    const { url, verifier } = startFlow(op)
    const headers = { authorization: `Basic ${Buffer.from("a+b:50%").toString("base64")}` }
    const response = await redeem(op, { code: await codeFor(op, url), verifier, headers })
    expect(response.status).toBe(401)
  })

  test("by post", async () => {
    const op = createProvider({ authentication: "client_secret_post" })
    const { url, verifier } = startFlow(op)
    const form = { client_id: op.clientId, client_secret: op.clientSecret }
    const response = await redeem(op, { code: await codeFor(op, url), verifier, form, headers: {} })
    expect(response.status).toBe(200)
  })

  test("by none works only for a public client", async () => {
    const op = createProvider({ authentication: "none" })
    const { url, verifier } = startFlow(op)
    const form = { client_id: op.clientId }
    const response = await redeem(op, { code: await codeFor(op, url), verifier, form, headers: {} })
    expect(response.status).toBe(200)
  })

  async function asserted(op: FakeProvider, audience: string, jti: string): Promise<number> {
    const key =
      op.provider().client?.token_endpoint_auth_method === "private_key_jwt"
        ? await op.clientPrivateKey()
        : new TextEncoder().encode(op.clientSecret)
    const assertion = await new SignJWT({})
      .setProtectedHeader({ alg: key instanceof Uint8Array ? "HS256" : "ES256" })
      .setIssuer(op.clientId)
      .setSubject(op.clientId)
      .setAudience(audience)
      .setExpirationTime("1m")
      .setJti(jti)
      .sign(key)
    const form = {
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: assertion,
    }
    const { url, verifier } = startFlow(op)
    return (await redeem(op, { code: await codeFor(op, url), verifier, form, headers: {} })).status
  }

  test.each(["client_secret_jwt", "private_key_jwt"] as const)("by %s accepts each assertion once", async (method) => {
    const op = createProvider({ authentication: method })
    expect(await asserted(op, op.issuer, "1")).toBe(200)
    expect(await asserted(op, op.issuer, "1")).toBe(401)
    expect(await asserted(op, "https://evil.test", "2")).toBe(401)
  })
})

describe("refresh", () => {
  async function refreshed(op: FakeProvider, token: string): Promise<Response> {
    return await op.fetch(`${op.issuer}/token`, {
      method: "POST",
      headers: { authorization: basic(op.clientId, op.clientSecret) },
      body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: token }),
    })
  }

  test("rotates the refresh token, and the ID token has no nonce", async () => {
    const op = createProvider()
    const { refresh_token } = await tokensFor(op)
    const body: unknown = await (await refreshed(op, refresh_token)).json()
    expect(body).toMatchObject({ refresh_token: expect.not.stringMatching(refresh_token) })
    const idToken = typeof body === "object" && body !== null && "id_token" in body ? String(body.id_token) : ""
    const { payload } = await jwtVerify(idToken, await keysOf(op))
    expect(payload).toMatchObject({ sub: "ada" })
    expect(payload).not.toHaveProperty("nonce")
    expect(await reasonOf(await refreshed(op, refresh_token))).toContain("refresh-token-used")
  })
})
