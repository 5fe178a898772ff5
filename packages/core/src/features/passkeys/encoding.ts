/** A credential id has at most 1023 bytes (WebAuthn Level 3 §4). */
const credentialId = /^[\w-]{1,1364}$/

export function isCredentialId(text: unknown): text is string {
  return typeof text === "string" && credentialId.test(text)
}

/** Rows have padded base64 (RFC 4648 §4), as Auth.js writes them. Browsers send base64url without padding (§5). */
export function toBase64(base64url: string): string {
  const text = base64url.replaceAll("-", "+").replaceAll("_", "/")
  return text.padEnd(Math.ceil(text.length / 4) * 4, "=")
}

/** Base64url without padding. */
export function toUnpadded(base64: string): string {
  return base64.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}

export function encodeBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""))
}

/** @throws DOMException if `text` isn't base64 or base64url */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(toBase64(text)), (character) => character.charCodeAt(0))
}

export function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
}
