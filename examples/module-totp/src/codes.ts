import { createHash, createHmac, timingSafeEqual } from "node:crypto"

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

/** RFC 4648 §6, without padding. */
export function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("")
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, "0"), 2)]).join("")
}

function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (character) => alphabet.indexOf(character).toString(2).padStart(5, "0")).join("")
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}

const seconds = 30

export const stepAt = (now: number): number => Math.floor(now / 1000 / seconds)

/** Six digits (RFC 4226 §5.3). */
export function codeAt(seed: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac("sha1", fromBase32(seed)).update(counter).digest()
  const truncated = digest.readUInt32BE((digest.at(-1) ?? 0) & 15) & 0x7fffffff
  return String(truncated % 1_000_000).padStart(6, "0")
}

/** The step that a code is for: now, or one before or after. `undefined`: none. */
export function stepOf(seed: string, code: string, now: number): number | undefined {
  const current = stepAt(now)
  return [current - 1, current, current + 1].find((step) => equal(codeAt(seed, step), code))
}

function equal(expected: string, given: string): boolean {
  return expected.length === given.length && timingSafeEqual(Buffer.from(expected), Buffer.from(given))
}

/** A recovery code has 80 random bits, and guesses are counted, so a fast hash is enough. */
export const hashOf = (code: string): string => createHash("sha256").update(normal(code)).digest("hex")

export const normal = (code: string): string => code.replace(/[\s-]/g, "").toUpperCase()
