import { CompactEncrypt } from "jose"
import { contentKey, type Encryption, thumbprint } from "./platforms.js"

export const secret = "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fG"
export const salt = "authjs.session-token"
export const alive = { sub: "ada", exp: 4_948_825_904 }
export const encryptions: readonly Encryption[] = ["A256GCM", "A256CBC-HS512"]
export const gcm = { alg: "dir", enc: "A256GCM" }

/** Seals with jose: text as it is, any other value as JSON. */
export async function seal(content: unknown, enc: Encryption, header: Record<string, unknown> = {}): Promise<string> {
  const key = contentKey(secret, salt, enc)
  const bytes = new TextEncoder().encode(typeof content === "string" ? content : JSON.stringify(content))
  const complete = { alg: "dir", enc, kid: thumbprint(key), ...header }
  return new CompactEncrypt(bytes).setProtectedHeader(complete).encrypt(key)
}

/** jose refuses to write these headers, so this builds the token from its parts. */
export async function sealByHand(header: unknown, { ivLength = 12, tagLength = 16 } = {}): Promise<string> {
  const bytes = contentKey(secret, salt, "A256GCM")
  const complete = isRecord(header) ? { kid: thumbprint(bytes), ...header } : header
  const encoded = Buffer.from(JSON.stringify(complete)).toString("base64url")
  const iv = crypto.getRandomValues(new Uint8Array(ivLength))
  const algorithm = { name: "AES-GCM", iv, additionalData: new TextEncoder().encode(encoded), tagLength: tagLength * 8 }
  const key = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt"])
  const content = new TextEncoder().encode(JSON.stringify(alive))
  const sealed = Buffer.from(await crypto.subtle.encrypt(algorithm, key, content))
  const parts = [Buffer.from(iv), sealed.subarray(0, -tagLength), sealed.subarray(-tagLength)]
  return `${encoded}..${parts.map((part) => part.toString("base64url")).join(".")}`
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
