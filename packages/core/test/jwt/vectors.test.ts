import { describe, expect, test } from "vitest"
import { contentKey, type Encryption, headerOf, platforms, thumbprint } from "./platforms.js"
import file from "./vectors.json" with { type: "json" }

const lengths: Readonly<Record<string, number>> = { A256GCM: 32, "A256CBC-HS512": 64 }

describe.each(platforms)("on the $name platform", ({ platform, jwt }) => {
  test.each(file.vectors)("decode opens a token of Auth.js: $id", async (vector) => {
    const { token, secret, salt } = vector
    expect(await jwt.decode({ token, secret, salt })).toEqual(vector.expectDecoded)
    expect(headerOf(token)).toEqual(vector.header)
  })

  test.each(file.vectors.filter(({ derivedKeyHex }) => derivedKeyHex !== undefined))(
    "the key of $id is derived like that of Auth.js, and its thumbprint is the kid",
    async ({ secret, encodedWith, salt, header, derivedKeyHex, expectedKid }) => {
      const input = [encodedWith ?? secret].flat()[0] ?? ""
      const length = lengths[header.enc] ?? 0
      const { bytes } = await platform.hkdf(input, salt, `Auth.js Generated Encryption Key (${salt})`, length)
      expect(Buffer.from(bytes).toString("hex")).toBe(derivedKeyHex)
      const members = JSON.stringify({ k: platform.toBase64Url(bytes), kty: "oct" })
      expect(await platform.digest(length === 64 ? "SHA-512" : "SHA-256", members)).toBe(expectedKid)
    },
  )

  test.each(file.negative.filter(({ token }) => token !== ""))(
    "decode throws for $id",
    async ({ token, secret, salt }) => {
      await expect(jwt.decode({ token, secret, salt })).rejects.toThrow(Error)
    },
  )

  test.each(file.negative.filter(({ token }) => token === ""))(
    "decode returns null for $id",
    async ({ token, secret, salt }) => {
      expect(await jwt.decode({ token, secret, salt })).toBeNull()
      expect(await jwt.decode({ secret, salt })).toBeNull()
    },
  )

  test.each(file.csrf)("the hash of a CSRF token is that of Auth.js (%#)", async (row) => {
    const hash = await platform.sha256(row.csrfToken + [row.secret].flat().join(","))
    expect(hash).toBe(row.hash)
    expect(`${row.csrfToken}|${hash}`).toBe(row.cookieValue)
  })

  test.each(file.emailToken)("the stored hash of an email token is that of Auth.js", async (row) => {
    expect(await platform.sha256(row.token + row.secret)).toBe(row.stored)
  })

  test("the header of a token has alg, enc and the key's thumbprint as kid", async () => {
    const [secret, salt] = ["new-secret-8Jv0m2zq4RkT7bYwXs1Lp6Nd", "authjs.session-token"]
    const token = await jwt.encode({ token: { sub: "ada" }, secret, salt })
    const enc: Encryption = "A256GCM"
    expect(headerOf(token)).toEqual({ alg: "dir", enc, kid: thumbprint(contentKey(secret, salt, enc)) })
    expect(token.split(".")).toHaveLength(5)
    expect(token.split(".")[1]).toBe("")
  })
})
