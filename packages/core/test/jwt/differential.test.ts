import fc from "fast-check"
import { EncryptJWT, type JWTPayload, jwtDecrypt } from "jose"
import { describe, expect, test } from "vitest"
import { contentKey, type Encryption, platforms, thumbprint } from "./platforms.js"

const encryptions: readonly Encryption[] = ["A256GCM", "A256CBC-HS512"]
const lifetimes = new Set(["iat", "exp", "jti", "nbf", "aud", "iss", "sub"])

const secret = fc.string({ unit: "grapheme", minLength: 1, maxLength: 70 })
const salt = fc.string({ unit: "binary-ascii", minLength: 1, maxLength: 50 })
const claims = fc
  .dictionary(
    fc.string({ unit: "binary", maxLength: 12 }).filter((name) => !lifetimes.has(name) && name !== "__proto__"),
    fc.jsonValue({ maxDepth: 3 }),
    { maxKeys: 6 },
  )
  .map((record): Record<string, unknown> => JSON.parse(JSON.stringify(record)))

describe.each(platforms)("on the $name platform", ({ jwt: { encode, decode } }) => {
  test("jose opens every token of encode", async () => {
    await fc.assert(
      fc.asyncProperty(secret, salt, claims, async (secret, salt, claims) => {
        const token = await encode({ token: claims, secret, salt, maxAge: 600 })
        const { payload, protectedHeader } = await jwtDecrypt(token, contentKey(secret, salt, "A256GCM"), {
          keyManagementAlgorithms: ["dir"],
          contentEncryptionAlgorithms: ["A256GCM"],
        })
        expect(payload).toMatchObject(claims)
        expect(protectedHeader.kid).toBe(thumbprint(contentKey(secret, salt, "A256GCM")))
      }),
      { numRuns: 60 },
    )
  })

  test.each(encryptions)("decode opens every token of jose with %s", async (enc) => {
    await fc.assert(
      fc.asyncProperty(secret, salt, claims, fc.boolean(), async (secret, salt, claims, named) => {
        const key = contentKey(secret, salt, enc)
        const token = await sealWithJose(claims, key, named ? { enc, kid: thumbprint(key) } : { enc })
        expect(
          await decode({ token, secret: ["another-secret-before-it".repeat(named ? 1 : 0) || secret, secret], salt }),
        ).toMatchObject(claims)
      }),
      { numRuns: 60 },
    )
  })

  test.each(encryptions)("jose and decode agree on every changed character of a %s token", async (enc) => {
    const [secret, salt] = ["k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fG", "authjs.session-token"]
    const key = contentKey(secret, salt, enc)
    const token = await sealWithJose({ sub: "ada" }, key, { enc, kid: thumbprint(key) })
    const character = fc.constantFrom(..."ABab019-_.=+/ %")
    await fc.assert(
      fc.asyncProperty(fc.nat(token.length - 1), character, async (at, character) => {
        const changed = token.slice(0, at) + character + token.slice(at + 1)
        const [ours, theirs] = await Promise.all([
          isFulfilled(decode({ token: changed, secret, salt })),
          isFulfilled(jwtDecrypt(changed, key)),
        ])
        // jose accepts several encodings of one token, Latchkey one.
        expect(ours && !theirs).toBe(false)
        if (changed !== token) expect(ours).toBe(false)
      }),
      { numRuns: 150 },
    )
  })
})

test("each platform opens the tokens of the other", async () => {
  const [node, web] = platforms
  if (node === undefined || web === undefined) throw new Error("both platforms are needed")
  await fc.assert(
    fc.asyncProperty(secret, salt, claims, async (secret, salt, claims) => {
      const [ofNode, ofWeb] = [
        await node.jwt.encode({ token: claims, secret, salt }),
        await web.jwt.encode({ token: claims, secret, salt }),
      ]
      expect(await web.jwt.decode({ token: ofNode, secret, salt })).toMatchObject(claims)
      expect(await node.jwt.decode({ token: ofWeb, secret, salt })).toMatchObject(claims)
    }),
    { numRuns: 60 },
  )
})

async function sealWithJose(
  claims: Record<string, unknown>,
  key: Uint8Array,
  header: { readonly enc: Encryption; readonly kid?: string },
): Promise<string> {
  const payload: JWTPayload = claims
  return new EncryptJWT(payload)
    .setProtectedHeader({ alg: "dir", ...header })
    .setExpirationTime("10m")
    .encrypt(key)
}

async function isFulfilled(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  )
}
