import { createHash, createHmac, createSecretKey, timingSafeEqual } from "node:crypto"

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

/** RFC 4648 §6, without padding. */
export function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("")
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, "0"), 2)]).join("")
}

function fromBase32(text: string): Uint8Array {
  const bits = Array.from(text, (character) => alphabet.indexOf(character).toString(2).padStart(5, "0")).join("")
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}

const seconds = 30

export const stepAt = (now: number): number => Math.floor(now / 1000 / seconds)

/** Six digits (RFC 4226 §5.3). */
export function codeAt(seed: string, step: number): string {
  const counter = new DataView(new ArrayBuffer(8))
  counter.setBigUint64(0, BigInt(step))
  const mac = createHmac("sha1", createSecretKey(fromBase32(seed)))
    .update(new Uint8Array(counter.buffer))
    .digest()
  const digest = new DataView(Uint8Array.from(mac).buffer)
  const truncated = digest.getUint32(digest.getUint8(digest.byteLength - 1) & 15) & 0x7fffffff
  return String(truncated % 1_000_000).padStart(6, "0")
}

/** The step that a code is for: now, or one before or after. `undefined`: none. */
export function stepOf(seed: string, code: string, now: number): number | undefined {
  const current = stepAt(now)
  return [current - 1, current, current + 1].find((step) => equal(codeAt(seed, step), code))
}

function equal(expected: string, given: string): boolean {
  const [one, other] = [expected, given].map((text) => new TextEncoder().encode(text))
  return one !== undefined && other?.length === one.length && timingSafeEqual(one, other)
}

/** A recovery code has 80 random bits, and guesses are counted, so a fast hash is enough. */
export const hashOf = (code: string): string => createHash("sha256").update(normal(code)).digest("hex")

/** Spaces, hyphens and anything that isn't part of a code don't count. */
export const normal = (code: string): string => code.toUpperCase().replace(/[^0-9A-Z]/g, "")
