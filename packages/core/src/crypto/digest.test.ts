import fc from "fast-check"
import { expect, test } from "vitest"
import { platform as node } from "./node.js"
import { platform as web } from "./web.js"
import { authenticate, equal, toHex } from "./digest.js"

test("equal agrees with === about any two texts", () => {
  const text = fc.string({ unit: "binary", maxLength: 6 })
  fc.assert(fc.property(text, text, (a, b) => equal(a, b) === (a === b) && equal(a, a)))
})

test("both platforms agree on digests, keyed digests, keys and base64url", async () => {
  const text = fc.string({ unit: "binary", maxLength: 80 })
  await fc.assert(
    fc.asyncProperty(text, text, fc.uint8Array(), async (a, b, bytes) => {
      expect(await web.sha256(a)).toBe(await node.sha256(a))
      expect(await web.digest("SHA-256", a)).toBe(await node.digest("SHA-256", a))
      expect(await web.digest("SHA-512", a)).toBe(await node.digest("SHA-512", a))
      const key = `k${b}`
      expect(await web.hmacSha256(key, a)).toBe(await node.hmacSha256(key, a))
      expect((await web.hkdf(a, b, b, 64)).bytes).toEqual((await node.hkdf(a, b, b, 64)).bytes)
      const own = new Uint8Array(bytes)
      expect((await web.hkdf(own, b, b, 64)).bytes).toEqual((await node.hkdf(own, b, b, 64)).bytes)
      expect(web.toBase64Url(own)).toBe(node.toBase64Url(own))
    }),
    { numRuns: 100 },
  )
})

test("the keys of two purposes are apart", async () => {
  expect(await authenticate("secret", "a", "text")).not.toBe(await authenticate("secret", "b", "text"))
  expect(toHex(new Uint8Array([0, 15, 255]))).toBe("000fff")
})
