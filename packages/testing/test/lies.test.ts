import { compactVerify, decodeProtectedHeader, type JWK, jwtVerify } from "jose"
import { describe, expect, test } from "vitest"
import { createProvider, hang, type Lies, lies, type ProviderOptions } from "../src/index.js"
import { basic, codeFor, keysOf, redeem, startFlow, tokensFor } from "./relying-party.js"

async function idTokenUnder(lie: Lies, options: ProviderOptions = {}): Promise<string> {
  return (await tokensFor(createProvider({ ...options, lies: lie }))).id_token
}

function claimsIn(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString())
}

describe("a lie about the ID token", () => {
  test.each([
    ["wrongIssuer", { iss: "https://evil.test" }],
    ["numericSub", { sub: 1 }],
    ["wrongAud", { aud: "other" }],
    ["wrongAudList", { aud: ["other"] }],
    ["wrongNonce", { nonce: "another-nonce" }],
    ["stringExp", { exp: expect.any(String) }],
  ] as const)("%s changes the claim, and the signature is good", async (name, claims) => {
    const op = createProvider({ lies: lies[name] })
    const { id_token } = await tokensFor(op)
    const keys = await keysOf(op)
    await expect(compactVerify(id_token, keys)).resolves.toBeDefined()
    expect(claimsIn(id_token)).toMatchObject(claims)
  })

  test.each([
    ["noSub", "sub"],
    ["noAud", "aud"],
    ["noIat", "iat"],
    ["noExp", "exp"],
    ["noNonce", "nonce"],
    ["noIssuer", "iss"],
  ] as const)("%s takes the claim away", async (name, claim) => {
    expect(claimsIn(await idTokenUnder(lies[name]))).not.toHaveProperty(claim)
    expect(claimsIn(await idTokenUnder({}))).toHaveProperty(claim)
  })

  test.each(["badSignature", "unknownKid", "embeddedKey"] as const)(
    "%s is signed by a key nobody knows",
    async (name) => {
      const op = createProvider({ lies: lies[name] })
      const { id_token } = await tokensFor(op)
      const keys = await keysOf(op)
      await expect(jwtVerify(id_token, keys)).rejects.toThrow()
    },
  )

  test("noKid is signed by the published key", async () => {
    const op = createProvider({ lies: lies.noKid })
    const { id_token } = await tokensFor(op)
    expect(decodeProtectedHeader(id_token)).not.toHaveProperty("kid")
    const keys = await keysOf(op)
    await expect(jwtVerify(id_token, keys)).resolves.toBeDefined()
  })

  test("algNone has no signature", async () => {
    const token = await idTokenUnder(lies.algNone)
    expect(decodeProtectedHeader(token)).toEqual({ alg: "none", typ: "JWT" })
    expect(token.endsWith(".")).toBe(true)
  })

  test("wrongMac is not made with the client secret, publicKeyAsMacSecret is made with the public key", async () => {
    const op = createProvider()
    const secret = new TextEncoder().encode(op.clientSecret)
    await expect(jwtVerify(await idTokenUnder(lies.wrongMac), secret)).rejects.toThrow("signature")
    const confused = await idTokenUnder(lies.publicKeyAsMacSecret)
    expect(decodeProtectedHeader(confused).alg).toBe("HS256")
    await expect(jwtVerify(confused, secret)).rejects.toThrow("signature")
  })

  test("encryptedIdToken is a JWE, and criticalHeader names an unknown extension", async () => {
    expect((await idTokenUnder(lies.encryptedIdToken)).split(".")).toHaveLength(5)
    expect(decodeProtectedHeader(await idTokenUnder(lies.criticalHeader))).toMatchObject({ crit: ["exotic"] })
  })

  test("polluting really sends __proto__", async () => {
    expect(Object.keys(claimsIn(await idTokenUnder(lies.polluting)))).toContain("__proto__")
  })
})

describe("every ready-made lie", () => {
  const keys: JWK[] = [{ kty: "RSA" }]
  const honest = {
    discovery: {
      status: 200,
      headers: {},
      body: {
        issuer: "https://op.test",
        jwks_uri: "https://op.test/jwks",
        userinfo_endpoint: "https://op.test/userinfo",
        code_challenge_methods_supported: ["S256"],
      },
    },
    jwks: { keys },
    authorize: { code: "c", state: "s", iss: "https://op.test" },
    endSession: { state: "s" },
    token: {
      status: 200,
      headers: {},
      body: { access_token: "a", token_type: "Bearer", expires_in: 3600, id_token: "i", scope: "openid" },
    },
    userinfo: { status: 200, headers: {}, body: { sub: "ada" } },
    idToken: {
      header: { alg: "RS256", kid: "1" },
      claims: { iss: "https://op.test", sub: "ada", aud: "latchkey", iat: 1, exp: 2, nonce: "n", at_hash: "h" },
    },
    signedUserinfo: { header: { alg: "RS256" }, claims: { sub: "ada", iss: "https://op.test", aud: "latchkey" } },
  } as const

  test.each(Object.entries(lies))("%s is not the truth", async (_, lie) => {
    const { answer, overlook, ...told } = lie
    const reasons = ["code-used", "pkce", "redirect-uri", "client-authentication", "refresh-token-used"] as const
    const overlooked = reasons.filter((reason) => overlook?.({ reason, status: 400, error: "e" }))
    const changed = [
      said(() => told.discovery?.(honest.discovery), honest.discovery),
      said(() => told.jwks?.(honest.jwks), honest.jwks),
      said(() => told.authorize?.(honest.authorize), honest.authorize),
      said(() => told.endSession?.(honest.endSession), honest.endSession),
      said(() => told.token?.(honest.token), honest.token),
      said(() => told.userinfo?.(honest.userinfo), honest.userinfo),
      said(() => told.idToken?.(honest.idToken), honest.idToken),
      said(() => told.signedUserinfo?.(honest.signedUserinfo), honest.signedUserinfo),
    ]
    const differences = (await Promise.all(changed)).filter((isChanged) => isChanged)
    expect(answer).toBeUndefined()
    expect(overlooked.length).toBeLessThanOrEqual(1)
    expect(differences.length + overlooked.length).toBe(Object.keys(lie).length)
  })

  /** Whether something else is told; JSON, because that is what arrives. */
  async function said(tell: () => unknown, truth: object): Promise<boolean> {
    try {
      const told = await tell()
      return told !== undefined && JSON.stringify(told) !== JSON.stringify(truth)
    } catch {
      return true
    }
  }
})

describe("carelessness", () => {
  test("codeReplay redeems a code twice, pkceIgnored takes any verifier, and nothing else passes", async () => {
    const op = createProvider({ lies: [lies.codeReplay, lies.pkceIgnored] })
    const { url } = startFlow(op)
    const code = await codeFor(op, url)
    expect((await redeem(op, { code, verifier: "wrong" })).status).toBe(200)
    expect((await redeem(op, { code, verifier: "wrong" })).status).toBe(200)
    const headers = { authorization: basic("x", "y") }
    expect((await redeem(op, { code, verifier: "wrong", headers })).status).toBe(401)
  })
})

describe("lies", () => {
  test("are told one after the other, and can be taken back", async () => {
    const op = createProvider({ lies: lies.numericSub })
    const honest = op.lie(lies.wrongIssuer)
    expect(claimsIn((await tokensFor(op)).id_token)).toMatchObject({ sub: 1, iss: "https://evil.test" })
    honest()
    expect(claimsIn((await tokensFor(op)).id_token)).toMatchObject({ sub: 1, iss: "https://op.test" })
  })

  test("a Response ends the telling", async () => {
    const unheard = { token: () => Response.json({ unheard: true }) }
    const op = createProvider({ lies: [lies.tokenErrorIn200, unheard] })
    const { url, verifier } = startFlow(op)
    const response = await redeem(op, { code: await codeFor(op, url), verifier })
    expect(await response.json()).toEqual({ error: "bad_verification_code" })
  })

  test("about the whole answer replace it", async () => {
    const teapot = { answer: () => new Response(null, { status: 418 }) }
    expect((await createProvider({ lies: teapot }).fetch("https://op.test/jwks")).status).toBe(418)
  })
})

describe("a hanging provider", () => {
  test("answers when it is released, honestly", async () => {
    const slow = hang("jwks")
    const op = createProvider({ lies: slow.lies })
    const answer = op.fetch(`${op.issuer}/jwks`)
    await slow.reached
    slow.release()
    expect((await answer).status).toBe(200)
  })

  test("is given up when the client aborts", async () => {
    const slow = hang("jwks")
    const op = createProvider({ lies: slow.lies })
    const patience = new AbortController()
    const answer = op.fetch(`${op.issuer}/jwks`, { signal: patience.signal })
    await slow.reached
    patience.abort(new Error("enough"))
    await expect(answer).rejects.toThrow("enough")
  })
})

describe("a redirecting provider", () => {
  async function redirected(lie: Lies, redirect: RequestInit["redirect"]): Promise<readonly string[]> {
    const op = createProvider({ lies: lie })
    const { url, verifier } = startFlow(op)
    const body = new URLSearchParams({
      grant_type: "authorization_code",
      code: await codeFor(op, url),
      code_verifier: verifier,
      redirect_uri: "https://app.test/auth/callback/op",
    })
    const headers = { authorization: basic(op.clientId, op.clientSecret) }
    await op
      .fetch(`${op.issuer}/token`, { method: "POST", headers, body, redirect: redirect ?? "follow" })
      .catch(() => "")
    return op
      .requestsTo("elsewhere")
      .map((request) => `${request.method} ${request.url.href} ${request.body.slice(0, 10)}`)
  }

  test("gets the secrets of a client that follows 307 sent to the new place", async () => {
    expect(await redirected(lies.tokenRedirectWithBody, "follow")).toEqual([
      "POST https://evil.test/collect grant_type",
    ])
  })

  test("gets a GET without a body after 302", async () => {
    expect(await redirected(lies.tokenRedirect, "follow")).toEqual(["GET https://evil.test/collect "])
  })

  test.each(["manual", "error"] as const)("gets nothing from a client whose redirect is %s", async (redirect) => {
    expect(await redirected(lies.tokenRedirectWithBody, redirect)).toEqual([])
  })
})

describe("the record", () => {
  test("names the endpoint and keeps what was sent, also to places that do not exist", async () => {
    const op = createProvider()
    await tokensFor(op)
    await op.fetch("http://169.254.169.254/latest")
    expect(op.requests.map(({ endpoint }) => endpoint)).toEqual(["token", "elsewhere"])
    expect(op.requestsTo("token")[0]?.form.get("grant_type")).toBe("authorization_code")
    expect(op.requestsTo("token")[0]?.headers.get("authorization")).toMatch(/^Basic /)
  })
})
