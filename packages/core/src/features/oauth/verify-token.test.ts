import { describe, expect, test } from "vitest"
import { toBase64Url } from "../../crypto/digest.js"
import { assertAccessTokenHash, publicKeyAlgorithms } from "./verify-token.js"

test.each([
  [["RS256", "none", "HS256"], ["RS256"]],
  [
    ["ES256", "EdDSA"],
    ["ES256", "EdDSA"],
  ],
  [["none", "HS512"], undefined],
  [undefined, undefined],
])("of the algorithms %j that a server advertises only those with public keys count", (advertised, expected) => {
  expect(publicKeyAlgorithms(advertised)).toEqual(expected)
})

describe("at_hash", () => {
  const claims = { iss: "https://op.test", sub: "ada", aud: "app", iat: 0, exp: 1 }
  const idToken = (alg: string) => `${toBase64Url(new TextEncoder().encode(JSON.stringify({ alg })))}.e30.`
  // RFC: OpenID Connect Core appendix A.3
  const accessToken = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"
  const hash = "77QmUPtjPfzWtF2AnpK9RQ"

  test("fits the access token of the example in the specification", async () => {
    await expect(
      assertAccessTokenHash(idToken("RS256"), { ...claims, at_hash: hash }, accessToken),
    ).resolves.toBeUndefined()
  })

  test("refuses another access token, or the hash of another algorithm", async () => {
    await expect(assertAccessTokenHash(idToken("RS256"), { ...claims, at_hash: hash }, "other")).rejects.toThrow(
      "access token",
    )
    await expect(assertAccessTokenHash(idToken("ES512"), { ...claims, at_hash: hash }, accessToken)).rejects.toThrow(
      "access token",
    )
  })

  test("of an algorithm whose hash is not at hand is not looked at", async () => {
    const hashed = { ...claims, at_hash: "another" }
    await expect(assertAccessTokenHash(idToken("ES384"), hashed, accessToken)).resolves.toBeUndefined()
  })

  test("may be left out in the code flow", async () => {
    await expect(assertAccessTokenHash(idToken("RS256"), claims, accessToken)).resolves.toBeUndefined()
  })
})
