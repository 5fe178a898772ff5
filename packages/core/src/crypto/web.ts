import type { ContentKey, Platform } from "./platform.js"

const encoder = new TextEncoder()
const decoder = new TextDecoder("utf-8", { fatal: true })

interface WebKey extends ContentKey {
  readonly handle: Promise<{ readonly encrypt: CryptoKey; readonly mac: CryptoKey }>
}

export const platform: Platform = {
  async hkdf(secret, salt, info, length): Promise<WebKey> {
    const material = typeof secret === "string" ? encoder.encode(secret) : secret
    const input = await crypto.subtle.importKey("raw", material, "HKDF", false, ["deriveBits"])
    const bits = await crypto.subtle.deriveBits(
      { name: "HKDF", hash: "SHA-256", salt: encoder.encode(salt), info: encoder.encode(info) },
      input,
      length * 8,
    )
    const bytes = new Uint8Array(bits)
    return { bytes, handle: length === 64 ? cbcKeys(bytes) : gcmKey(bytes) }
  },

  async sealGcm(key, { header, iv, text }) {
    const { encrypt } = await webKey(key)
    const algorithm = { name: "AES-GCM", iv, additionalData: encoder.encode(header) }
    const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm, encrypt, encoder.encode(text)))
    const parts = [iv, sealed.subarray(0, -16), sealed.subarray(-16)].map(toBase64Url)
    return `${header}..${parts.join(".")}`
  },

  async openGcm(key, { header, iv, ciphertext, tag }) {
    const { encrypt } = await webKey(key)
    const [ivBytes, tagBytes] = [fromBase64Url(iv), fromBase64Url(tag)]
    if (tagBytes.length !== 16 || ivBytes.length !== 12) throw new Error("malformed")
    const algorithm = { name: "AES-GCM", iv: ivBytes, additionalData: encoder.encode(header) }
    const content = concat(fromBase64Url(ciphertext), tagBytes)
    return decoder.decode(await crypto.subtle.decrypt(algorithm, encrypt, content))
  },

  async sealCbc(key, { header, iv, text }) {
    const { encrypt, mac } = await webKey(key)
    const content = await crypto.subtle.encrypt({ name: "AES-CBC", iv }, encrypt, encoder.encode(text))
    const ciphertext = new Uint8Array(content)
    const tag = await cbcTag(mac, { header, iv, content: ciphertext })
    return `${header}..${[iv, ciphertext, tag].map(toBase64Url).join(".")}`
  },

  async openCbc(key, { header, iv, ciphertext, tag }) {
    const { encrypt, mac } = await webKey(key)
    const [ivBytes, content, given] = [fromBase64Url(iv), fromBase64Url(ciphertext), fromBase64Url(tag)]
    if (ivBytes.length !== 16) throw new Error("malformed")
    const expected = await cbcTag(mac, { header, iv: ivBytes, content })
    if (!sameBytes(given, expected)) throw new Error("malformed")
    return decoder.decode(await crypto.subtle.decrypt({ name: "AES-CBC", iv: ivBytes }, encrypt, content))
  },

  async sha256(text) {
    return toHex(await crypto.subtle.digest("SHA-256", encoder.encode(text)))
  },

  async hmacSha256(key, text) {
    const algorithm = { name: "HMAC", hash: "SHA-256" }
    const imported = await crypto.subtle.importKey("raw", encoder.encode(key), algorithm, false, ["sign"])
    return toHex(await crypto.subtle.sign("HMAC", imported, encoder.encode(text)))
  },

  async digest(algorithm, text) {
    return toBase64Url(new Uint8Array(await crypto.subtle.digest(algorithm, encoder.encode(text))))
  },

  toBase64Url,
}

async function gcmKey(bytes: Uint8Array<ArrayBuffer>): WebKey["handle"] {
  const encrypt = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"])
  return { encrypt, mac: encrypt }
}

async function cbcKeys(bytes: Uint8Array<ArrayBuffer>): WebKey["handle"] {
  const hmac = { name: "HMAC", hash: "SHA-512" }
  return {
    mac: await crypto.subtle.importKey("raw", bytes.subarray(0, 32), hmac, false, ["sign"]),
    encrypt: await crypto.subtle.importKey("raw", bytes.subarray(32), "AES-CBC", false, ["encrypt", "decrypt"]),
  }
}

interface Authenticated {
  readonly header: string
  readonly iv: Uint8Array
  readonly content: Uint8Array
}

async function cbcTag(mac: CryptoKey, { header, iv, content }: Authenticated): Promise<Uint8Array> {
  const aad = encoder.encode(header)
  const signature = await crypto.subtle.sign("HMAC", mac, concat(aad, iv, content, bitLength(aad)))
  return new Uint8Array(signature).subarray(0, 32)
}

function webKey(key: ContentKey): WebKey["handle"] {
  return (key as WebKey).handle
}

function toBase64Url(bytes: Uint8Array): string {
  let binary = ""
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
}

/** The caller has checked that `text` only contains base64url characters. */
function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (char) => char.charCodeAt(0))
}

function toHex(buffer: ArrayBuffer): string {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, "0")).join("")
}

function concat(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let offset = 0
  for (const part of parts) {
    whole.set(part, offset)
    offset += part.length
  }
  return whole
}

function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length
  for (let index = 0; index < a.length; index++) difference |= (a[index] ?? 0) ^ (b[index] ?? 0)
  return difference === 0
}

/** The length of the header in bits as 64-bit big-endian (RFC 7518 §5.2.2.1). */
function bitLength(bytes: Uint8Array): Uint8Array {
  const length = new Uint8Array(8)
  new DataView(length.buffer).setUint32(4, bytes.length * 8)
  return length
}
