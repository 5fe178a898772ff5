import type { SecretScanningOptions } from "./options.js"

interface Signature {
  readonly keyId: string
  /** DER, in Base64. */
  readonly signature: string
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } as const

/** Whether the owner of a public key signed this body: ECDSA over P-256 with SHA-256. */
export async function isSigned(
  { publicKey }: SecretScanningOptions,
  { keyId, signature }: Signature,
  body: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const raw = rawSignature(fromBase64(signature))
  if (raw === undefined || !/^[0-9a-f]{16,128}$/i.test(keyId)) return false
  const pem = await publicKey(keyId)
  const spki = fromBase64(pem?.replace(/-----[A-Z ]+-----|\s/g, "") ?? "")
  if (spki === undefined || spki.length === 0) return false
  // A key of another kind signs nothing here.
  const key = await crypto.subtle.importKey("spki", spki, algorithm, false, ["verify"]).catch(() => undefined)
  return key !== undefined && crypto.subtle.verify(algorithm, key, raw, body)
}

/** A P-256 signature in DER has up to 72 bytes, so that of a key is the longest. */
const longestBase64 = 4096

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length > longestBase64) return undefined
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

const sequenceTag = 0x30
const integerTag = 0x02

/** Web Crypto takes `r` and `s` with 32 bytes each; DER (RFC 3279 §2.2.3) has them without leading zeros. `undefined`: it isn't DER. */
function rawSignature(der: Uint8Array | undefined): Uint8Array<ArrayBuffer> | undefined {
  if (der === undefined || der[0] !== sequenceTag || der[1] !== der.length - 2) return undefined
  const r = integerAt(der, 2)
  const s = r && integerAt(der, r.end)
  if (r === undefined || s === undefined || s.end !== der.length) return undefined
  const raw = new Uint8Array(64)
  raw.set(r.bytes, 32 - r.bytes.length)
  raw.set(s.bytes, 64 - s.bytes.length)
  return raw
}

function integerAt(der: Uint8Array, start: number): { readonly bytes: Uint8Array; readonly end: number } | undefined {
  const length = der[start + 1]
  if (der[start] !== integerTag || length === undefined || length === 0 || length > 33) return undefined
  const end = start + 2 + length
  const bytes = der.subarray(start + 2, end)
  const significant = bytes[0] === 0 ? bytes.subarray(1) : bytes
  return end > der.length || significant.length > 32 ? undefined : { bytes: significant, end }
}
