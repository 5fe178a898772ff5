import { createHmac } from "node:crypto"

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

/**
 * The code that an authenticator app shows (RFC 6238): six digits, a new one every 30 seconds.
 *
 * @example
 * ```ts
 * import { oneTimeCode } from "@latchkey/testing"
 * import assert from "node:assert/strict"
 * assert.equal(oneTimeCode("GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ", 59_000), "287082")
 * ```
 * @param key the key that the page shows as text, in Base32, or the `otpauth:` URI of the QR code
 * @param now milliseconds since 1970
 * @throws TypeError if the key isn't one
 */
export function oneTimeCode(key: string, now: number = Date.now()): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(now / 30_000)))
  const digest = createHmac("sha1", bytesOf(key)).update(counter).digest()
  const offset = (digest.at(-1) ?? 0) & 15
  return String((digest.readUInt32BE(offset) & 0x7fffffff) % 1_000_000).padStart(6, "0")
}

function bytesOf(key: string): Buffer {
  const text = key.startsWith("otpauth:") ? (new URL(key).searchParams.get("secret") ?? "") : key
  const values = Array.from(text.replace(/[\s=-]/g, "").toUpperCase(), (character) => alphabet.indexOf(character))
  if (values.length === 0 || values.includes(-1))
    throw new TypeError("The key isn't Base32. Pass the key that the page shows, or the URI of the QR code")
  const bits = values.map((value) => value.toString(2).padStart(5, "0")).join("")
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
