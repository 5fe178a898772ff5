import { equal } from "@latchkey/core/module"
const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

/** RFC 4648 §6, without padding. */
export function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("")
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, "0"), 2)]).join("")
}

function fromBase32(text: string): Uint8Array<ArrayBuffer> {
  const bits = Array.from(text, (character) => alphabet.indexOf(character).toString(2).padStart(5, "0")).join("")
  return Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}

/** How long a code of an app is shown. Seconds (RFC 6238 §4.1). */
const stepLasts = 30

export function stepAt(now: number): number {
  return Math.floor(now / 1000 / stepLasts)
}

const hmac = { name: "HMAC", hash: "SHA-1" } as const

/** Six digits (RFC 4226 §5.3). */
async function codeAt(key: CryptoKey, step: number): Promise<string> {
  const counter = new DataView(new ArrayBuffer(8))
  counter.setBigUint64(0, BigInt(step))
  const digest = new DataView(await crypto.subtle.sign("HMAC", key, counter.buffer))
  const truncated = digest.getUint32(digest.getUint8(digest.byteLength - 1) & 15) & 0x7fffffff
  return String(truncated % 1_000_000).padStart(6, "0")
}

/** The step that a code of an app is for: now, or one before or after. `undefined`: none. */
export async function stepOf(seed: string, code: string, now: number): Promise<number | undefined> {
  const key = await crypto.subtle.importKey("raw", fromBase32(seed), hmac, false, ["sign"])
  const current = stepAt(now)
  const steps = [current - 1, current, current + 1]
  const codes = await Promise.all(steps.map(async (step) => codeAt(key, step)))
  return steps.find((_, index) => equal(codes[index] ?? "", code))
}

/** Spaces, hyphens and anything that isn't part of a code don't count. */
export function normal(typed: string): string {
  return typed.toUpperCase().replace(/[^0-9A-Z]/g, "")
}

type Random = (bytes: number) => Uint8Array

/** A key for authenticator apps: 160 bits (RFC 4226 §4), in Base32. */
export function newSeed(random: Random): string {
  return toBase32(random(20))
}

/** A name that can't be guessed: 256 bits. */
export function newName(random: Random): string {
  return toBase32(random(32))
}

/** How many recovery codes a user gets. */
const recoveryCodes = 10

/** Codes of 120 bits, in groups of four. So many bits need no slow hash (OWASP ASVS 6.5.2). */
export function newRecoveryCodes(random: Random): readonly string[] {
  return Array.from({ length: recoveryCodes }, () => (toBase32(random(15)).match(/.{4}/g) ?? []).join("-"))
}

/** Six digits, each as likely as the others. */
export function newDigits(random: Random): string {
  for (;;) {
    const [a = 0, b = 0, c = 0] = random(3)
    const value = (a << 16) | (b << 8) | c
    // The largest multiple of a million in 24 bits.
    if (value < 16_000_000) return String(value % 1_000_000).padStart(6, "0")
  }
}
