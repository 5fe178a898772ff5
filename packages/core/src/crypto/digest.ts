import { platform } from "#crypto"
import type { Awaitable } from "../model/user.js"

/** SHA-256 in lowercase hexadecimal. */
export function sha256(text: string): Awaitable<string> {
  return platform.sha256(text)
}

/** HMAC-SHA-256 in lowercase hexadecimal, with a key derived for the purpose. */
export async function authenticate(secret: string, purpose: string, text: string): Promise<string> {
  return platform.hmacSha256(await platform.hmacSha256(secret, purpose), text)
}

/** Compares in constant time, so the time doesn't tell where two texts differ (timing attack). */
export function equal(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let index = 0; index < a.length; index++)
    difference |= a.charCodeAt(index) ^ b.charCodeAt(index % (b.length || 1))
  return difference === 0
}

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))

/** Lowercase hexadecimal. */
export function toHex(bytes: Uint8Array): string {
  let text = ""
  for (const byte of bytes) text += hexPairs[byte] ?? ""
  return text
}

/** Without padding (RFC 4648 §5). */
export function toBase64Url(bytes: Uint8Array): string {
  return platform.toBase64Url(bytes)
}
