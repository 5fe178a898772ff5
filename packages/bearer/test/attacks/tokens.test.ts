import { createHmac } from "node:crypto"
import { describe, expect, test } from "vitest"
import { attack } from "../../../../tests/attack.js"
import { type AccessToken, createVerifier, type Jwk, TokenError } from "../../src/verify/verify.js"
import { api, issuer, minted, signIn, siteOf, verifierOf } from "../site.js"

// Tokens that an attacker writes or changes, at the verifier of an API and at the site itself.

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")

const now = 1_800_000_000
const good = { iss: issuer, sub: "ada", aud: api, client_id: "app", iat: now, exp: now + 600, jti: "1" }

async function keyPair() {
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"])
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", pair.publicKey)
  const key = { kty, crv, x, y, kid: "k1", alg: "ES256", use: "sig" } as Jwk
  const sign = async (header: object, claims: object) => {
    const text = `${encode(header)}.${encode(claims)}`
    const hash = { name: "ECDSA", hash: "SHA-256" }
    const signature = await crypto.subtle.sign(hash, pair.privateKey, new TextEncoder().encode(text))
    return `${text}.${Buffer.from(signature).toString("base64url")}`
  }
  return { key, sign }
}

const header = { alg: "ES256", typ: "at+jwt", kid: "k1" }
const own = await keyPair()
const verify = createVerifier({ issuer, audience: api, keys: [own.key], now: () => now * 1000 })
const made = async (claims: object = {}, head: object = {}) => own.sign({ ...header, ...head }, { ...good, ...claims })

async function refused(token: string, by: (token: string) => Promise<AccessToken> = verify): Promise<void> {
  await expect(by(token)).rejects.toThrow(TokenError)
}

test("a right token is accepted, in any spelling of its type and with several audiences", async () => {
  expect(await verify(await made())).toEqual(good)
  expect(await verify(await made({ aud: ["https://other.test", api] }, { typ: "application/AT+JWT" }))).toBeTruthy()
  const request = new Request(api, { headers: { authorization: `bearer ${await made()}` } })
  expect(await verify(request)).toEqual(good)
})

attack("BEAR-01", "a token without a signature, or with one of another algorithm, is refused", async () => {
  const [, body] = (await made()).split(".")
  for (const alg of ["none", "None", "NONE", ""]) await refused(`${encode({ ...header, alg })}.${body}.`)
  for (const alg of ["none", "ES384", "RS256", "HS256", "toString"])
    await refused(`${encode({ ...header, alg })}.${body}.AAAA`)
  // The public key as the secret of an HMAC.
  for (const secret of [JSON.stringify(own.key), String(own.key.x), ""]) {
    const text = `${encode({ ...header, alg: "HS256" })}.${body}`
    await refused(`${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`)
  }
  await refused(await own.sign({ ...header, alg: "EdDSA" }, good))
  const [head, , signature] = (await made()).split(".")
  await refused(`${head}.${encode({ ...good, sub: "eve" })}.${signature}`)
  await refused(`${head}.${body}.${"A".repeat(86)}`)
  const onlyEdDSA = createVerifier({ issuer, audience: api, keys: [own.key], algorithms: ["EdDSA"] })
  await refused(await made(), onlyEdDSA)
})

attack("BEAR-02", "an ID token, or any JWT that isn't an access token, is refused", async () => {
  for (const typ of ["JWT", "jwt", "id+jwt", "", "at+jwt2", "dpop+jwt", "logout+jwt", undefined, null, ["at+jwt2"]])
    await refused(await made({}, { typ }))
})

attack("BEAR-03", "a token of another issuer, for another API, or out of its time is refused", async () => {
  for (const iss of ["https://evil.test", `${issuer}/`, issuer.toUpperCase(), undefined, [issuer], null])
    await refused(await made({ iss }))
  for (const aud of ["https://other.test", `${api}/`, undefined, [], null, { 0: api }, [[api]]])
    await refused(await made({ aud }))
  for (const exp of [now - 60, 0, undefined, String(now + 600), null, Number.NaN]) await refused(await made({ exp }))
  for (const [name, value] of [
    ["nbf", now + 61],
    ["iat", now + 61],
    ["nbf", "1"],
    ["iat", undefined],
  ] as const)
    await refused(await made({ [name]: value }))
  expect(await verify(await made({ exp: now - 59, nbf: now + 59 }))).toBeTruthy()
  for (const name of ["sub", "client_id", "jti"])
    for (const value of [undefined, "", 1, {}]) await refused(await made({ [name]: value }))
})

attack("BEAR-04", "keys that the token brings or names are never used", async () => {
  const evil = await keyPair()
  const inHeader = { jwk: evil.key, jku: "https://evil.test/keys", x5u: "https://evil.test/cert", x5c: ["AAAA"] }
  await refused(await evil.sign({ ...header, ...inHeader }, good))
  const asked: string[] = []
  const load = async (url: string) => {
    asked.push(url)
    return Response.json({ keys: [own.key] })
  }
  const remote = createVerifier({ issuer, audience: api, fetch: load })
  for (const kid of [
    "../../etc/passwd",
    "/dev/null",
    "k1' OR '1'='1",
    "__proto__",
    "",
    ["k1"],
    undefined,
    { kid: "k1" },
  ])
    await refused(await evil.sign({ ...header, ...inHeader, kid }, good), remote)
  expect(asked.filter((url) => url !== `${issuer}/jwks`)).toEqual([])
  for (const crit of [["exp"], [], ["b64"], "b64", null]) await refused(await made({}, { crit }))
})

attack("BEAR-05", "a token that is bound to a key isn't accepted without a proof", async () => {
  await refused(await made({ cnf: { jkt: "0".repeat(43) } }))
})

attack("BEAR-06", "unknown keys cause one request in 30 seconds, and an outage is no sign-out", async () => {
  const [clock, asked] = [{ at: now * 1000 }, [] as string[]]
  let isDown = false
  const load = async (url: string) => {
    asked.push(url)
    if (isDown) throw new TypeError("fetch failed")
    return Response.json({ keys: [own.key] })
  }
  const remote = createVerifier({ issuer, audience: api, fetch: load, now: () => clock.at })
  const evil = await keyPair()
  for (let count = 0; count < 50; count++)
    await refused(await evil.sign({ ...header, kid: `k${count + 2}` }, good), remote)
  expect(asked).toHaveLength(1)
  clock.at += 30_000
  await Promise.all(
    Array.from({ length: 20 }, async (_, count) =>
      refused(await evil.sign({ ...header, kid: `x${count}` }, good), remote),
    ),
  )
  expect(asked).toHaveLength(2)
  isDown = true
  clock.at += 1_800_000
  const later = await made({ iat: now + 1800, exp: now + 2400 })
  expect(await remote(later)).toBeTruthy()
  clock.at += 1_900_000
  await expect(remote(await made({ iat: now + 3700, exp: now + 4300 }))).rejects.toMatchObject({ status: 503 })
  isDown = false
  clock.at += 1000
  expect(await remote(await made({ iat: now + 3700, exp: now + 4300 }))).toBeTruthy()
})

describe("loading keys", () => {
  const claims = async () => made()
  test.each([
    ["a redirect", async () => new Response(null, { status: 302, headers: { location: "https://evil.test" } })],
    ["an error page", async () => new Response("<h1>500</h1>", { status: 500 })],
    ["no key set", async () => Response.json([])],
    ["a null", async () => Response.json(null)],
    ["keys that are no list", async () => Response.json({ keys: own.key })],
    ["64 kB", async () => Response.json({ keys: [own.key], more: "x".repeat(70_000) })],
  ])("refuses %s", async (_, load) => {
    const remote = createVerifier({ issuer, audience: api, fetch: load, now: () => now * 1000 })
    await expect(remote(await claims())).rejects.toMatchObject({ status: 503 })
  })

  test("stops after the timeout", async () => {
    const load = async (_: string, { signal }: RequestInit) =>
      new Promise<Response>((_resolve, reject) => signal?.addEventListener("abort", () => reject(new Error("aborted"))))
    const remote = createVerifier({ issuer, audience: api, fetch: load, timeout: 20, now: () => now * 1000 })
    await expect(remote(await claims())).rejects.toMatchObject({ status: 503 })
  })

  test("never uses a key for encryption, of another type or for another algorithm", async () => {
    for (const change of [{ use: "enc" }, { alg: "EdDSA" }, { kty: "OKP" }, { crv: "P-384" }, { kid: "k2" }])
      await refused(
        await claims(),
        createVerifier({ issuer, audience: api, keys: [{ ...own.key, ...change }], now: () => now * 1000 }),
      )
  })
})

attack("BEAR-07", "text that is no token is refused, whatever it is", async () => {
  const junk = [
    "",
    ".",
    "..",
    "a.b",
    "a.b.c.d",
    "e30.e30.AAAA",
    `${"a".repeat(9000)}.b.c`,
    "💥.💥.💥",
    "bnVsbA.bnVsbA.AAAA",
    "W10.W10.AAAA",
    "A.A.A",
  ]
  for (const token of junk) await refused(token)
  await expect(verify(new Request(api))).rejects.toMatchObject({ status: 401 })
})

attack(
  "BEAR-08",
  "at the site, a wrong or malformed token is 401 and never 500, and cookies don't count beside it",
  async (mode) => {
    const site = siteOf({ mode, audiences: ["https://app.test", api] })
    const browser = await signIn(site)
    const session = async (authorization: string) => {
      const response = await browser.fetch("/auth/session", { headers: { authorization } })
      expect([response.status, response.headers.getSetCookie()]).toEqual([200, []])
      return response.json()
    }
    const right = await minted(browser, { audience: "https://app.test" })
    expect(await session(`Bearer ${right}`)).toMatchObject({ user: { name: "ada", id: site.idOf("ada") } })
    const forApi = await minted(browser, { audience: api })
    const wrong = [
      "Bearer",
      "Bearer ",
      "bearer x",
      `Bearer ${right}x`,
      `Bearer ${right} x`,
      `DPoP ${right}`,
      `Bearer ${forApi}`,
      `Bearer ${"a".repeat(60_000)}`,
    ]
    for (const authorization of wrong)
      expect([authorization.slice(0, 12), await session(authorization)]).toEqual([authorization.slice(0, 12), null])
    expect(await browser.session()).toMatchObject({ user: { name: "ada" } })
    expect(await verifierOf(site)(forApi)).toBeTruthy()
    await site.server.revoke(site.idOf("ada"))
    expect(await session(`Bearer ${right}`)).toBeNull()
  },
)
