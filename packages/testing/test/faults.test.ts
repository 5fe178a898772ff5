import { compactVerify, decodeProtectedHeader, type JWK, jwtVerify } from "jose"
import { describe, expect, test } from "vitest"
import { createProvider, hang, type Fault, faults, type ProviderOptions } from "../src/index.js"
import { basic, codeFor, keysOf, redeem, startFlow, tokensFor } from "./relying-party.js"

async function idTokenUnder(fault: Fault, options: ProviderOptions = {}): Promise<string> {
  return (await tokensFor(createProvider({ ...options, faults: fault }))).id_token
}

function claimsIn(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString())
}

describe("a fault of the ID token", () => {
  test.each([
    ["wrongIssuer", { iss: "https://evil.test" }],
    ["numericSub", { sub: 1 }],
    ["wrongAud", { aud: "other" }],
    ["wrongAudList", { aud: ["other"] }],
    ["wrongNonce", { nonce: "another-nonce" }],
    ["stringExp", { exp: expect.any(String) }],
  ] as const)("%s changes the claim and keeps the signature valid", async (name, claims) => {
    const op = createProvider({ faults: faults[name] })
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
  ] as const)("%s removes the claim", async (name, claim) => {
    expect(claimsIn(await idTokenUnder(faults[name]))).not.toHaveProperty(claim)
    expect(claimsIn(await idTokenUnder({}))).toHaveProperty(claim)
  })

  test.each(["badSignature", "unknownKid", "embeddedKey"] as const)(
    "%s is signed with an unpublished key",
    async (name) => {
      const op = createProvider({ faults: faults[name] })
      const { id_token } = await tokensFor(op)
      const keys = await keysOf(op)
      await expect(jwtVerify(id_token, keys)).rejects.toThrow()
    },
  )

  test("noKid is signed with the published key", async () => {
    const op = createProvider({ faults: faults.noKid })
    const { id_token } = await tokensFor(op)
    expect(decodeProtectedHeader(id_token)).not.toHaveProperty("kid")
    const keys = await keysOf(op)
    await expect(jwtVerify(id_token, keys)).resolves.toBeDefined()
  })

  test("algNone has no signature", async () => {
    const token = await idTokenUnder(faults.algNone)
    expect(decodeProtectedHeader(token)).toEqual({ alg: "none", typ: "JWT" })
    expect(token.endsWith(".")).toBe(true)
  })

  test("wrongMac and publicKeyAsMacSecret aren't signed with the client secret", async () => {
    const op = createProvider()
    const secret = new TextEncoder().encode(op.clientSecret)
    await expect(jwtVerify(await idTokenUnder(faults.wrongMac), secret)).rejects.toThrow("signature")
    const confused = await idTokenUnder(faults.publicKeyAsMacSecret)
    expect(decodeProtectedHeader(confused).alg).toBe("HS256")
    await expect(jwtVerify(confused, secret)).rejects.toThrow("signature")
  })

  test("encryptedIdToken is a JWE, and criticalHeader has an unknown extension", async () => {
    expect((await idTokenUnder(faults.encryptedIdToken)).split(".")).toHaveLength(5)
    expect(decodeProtectedHeader(await idTokenUnder(faults.criticalHeader))).toMatchObject({ crit: ["exotic"] })
  })

  test("polluting sends __proto__", async () => {
    expect(Object.keys(claimsIn(await idTokenUnder(faults.polluting)))).toContain("__proto__")
  })
})

describe("every built-in fault", () => {
  const keys: JWK[] = [{ kty: "RSA" }]
  const correct = {
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

  test.each(Object.entries(faults))("%s differs from the correct response", async (_, fault) => {
    const { answer, overlook, ...changes } = fault
    const reasons = ["code-used", "pkce", "redirect-uri", "client-authentication", "refresh-token-used"] as const
    const overlooked = reasons.filter((reason) => overlook?.({ reason, status: 400, error: "e" }))
    const changed = [
      differs(() => changes.discovery?.(correct.discovery), correct.discovery),
      differs(() => changes.jwks?.(correct.jwks), correct.jwks),
      differs(() => changes.authorize?.(correct.authorize), correct.authorize),
      differs(() => changes.endSession?.(correct.endSession), correct.endSession),
      differs(() => changes.token?.(correct.token), correct.token),
      differs(() => changes.userinfo?.(correct.userinfo), correct.userinfo),
      differs(() => changes.idToken?.(correct.idToken), correct.idToken),
      differs(() => changes.signedUserinfo?.(correct.signedUserinfo), correct.signedUserinfo),
    ]
    const differences = (await Promise.all(changed)).filter((isChanged) => isChanged)
    expect(answer).toBeUndefined()
    expect(overlooked.length).toBeLessThanOrEqual(1)
    expect(differences.length + overlooked.length).toBe(Object.keys(fault).length)
  })

  /** Compares JSON, because that's what the client receives. */
  async function differs(change: () => unknown, correct: object): Promise<boolean> {
    try {
      const changed = await change()
      return changed !== undefined && JSON.stringify(changed) !== JSON.stringify(correct)
    } catch {
      return true
    }
  }
})

describe("skipped checks", () => {
  test("codeReplay accepts a code twice, pkceIgnored accepts any verifier, and other checks remain", async () => {
    const op = createProvider({ faults: [faults.codeReplay, faults.pkceIgnored] })
    const { url } = startFlow(op)
    const code = await codeFor(op, url)
    expect((await redeem(op, { code, verifier: "wrong" })).status).toBe(200)
    expect((await redeem(op, { code, verifier: "wrong" })).status).toBe(200)
    const headers = { authorization: basic("x", "y") }
    expect((await redeem(op, { code, verifier: "wrong", headers })).status).toBe(401)
  })
})

describe("faults", () => {
  test("apply in order and can be removed", async () => {
    const op = createProvider({ faults: faults.numericSub })
    const remove = op.inject(faults.wrongIssuer)
    expect(claimsIn((await tokensFor(op)).id_token)).toMatchObject({ sub: 1, iss: "https://evil.test" })
    remove()
    expect(claimsIn((await tokensFor(op)).id_token)).toMatchObject({ sub: 1, iss: "https://op.test" })
  })

  test("after a returned Response don't apply", async () => {
    const skipped = { token: () => Response.json({ skipped: true }) }
    const op = createProvider({ faults: [faults.tokenErrorIn200, skipped] })
    const { url, verifier } = startFlow(op)
    const response = await redeem(op, { code: await codeFor(op, url), verifier })
    expect(await response.json()).toEqual({ error: "bad_verification_code" })
  })

  test("can replace the whole response", async () => {
    const teapot = { answer: () => new Response(null, { status: 418 }) }
    expect((await createProvider({ faults: teapot }).fetch("https://op.test/jwks")).status).toBe(418)
  })
})

describe("a hanging provider", () => {
  test("responds correctly after its release", async () => {
    const slow = hang("jwks")
    const op = createProvider({ faults: slow.fault })
    const answer = op.fetch(`${op.issuer}/jwks`)
    await slow.reached
    slow.release()
    expect((await answer).status).toBe(200)
  })

  test("rejects when the client aborts", async () => {
    const slow = hang("jwks")
    const op = createProvider({ faults: slow.fault })
    const controller = new AbortController()
    const answer = op.fetch(`${op.issuer}/jwks`, { signal: controller.signal })
    await slow.reached
    controller.abort(new Error("timed out"))
    await expect(answer).rejects.toThrow("timed out")
  })
})

describe("a redirecting provider", () => {
  async function redirected(fault: Fault, redirect: RequestInit["redirect"]): Promise<readonly string[]> {
    const op = createProvider({ faults: fault })
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

  test("makes a client that follows 307 send its secrets to the new URL", async () => {
    expect(await redirected(faults.tokenRedirectWithBody, "follow")).toEqual([
      "POST https://evil.test/collect grant_type",
    ])
  })

  test("makes a client that follows 302 send a GET without a body", async () => {
    expect(await redirected(faults.tokenRedirect, "follow")).toEqual(["GET https://evil.test/collect "])
  })

  test.each(["manual", "error"] as const)("gets no second request from a client with redirect %s", async (redirect) => {
    expect(await redirected(faults.tokenRedirectWithBody, redirect)).toEqual([])
  })
})

describe("recorded requests", () => {
  test("have the endpoint, the form and the headers, also for other URLs", async () => {
    const op = createProvider()
    await tokensFor(op)
    await op.fetch("http://169.254.169.254/latest")
    expect(op.requests.map(({ endpoint }) => endpoint)).toEqual(["token", "elsewhere"])
    expect(op.requestsTo("token")[0]?.form.get("grant_type")).toBe("authorization_code")
    expect(op.requestsTo("token")[0]?.headers.get("authorization")).toMatch(/^Basic /)
  })
})
