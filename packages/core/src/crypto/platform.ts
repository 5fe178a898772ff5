import type { Awaitable } from "../model/user.js"

/** A key in the form of the platform. Only `crypto/` looks inside. */
export interface ContentKey {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly handle: unknown
}

/** The four parts of a compact JWE with `alg: "dir"`, in base64url (RFC 7516 §7.1). */
export interface SealedParts {
  readonly header: string
  readonly iv: string
  readonly ciphertext: string
  readonly tag: string
}

export interface PlainParts {
  readonly header: string
  readonly iv: Uint8Array<ArrayBuffer>
  readonly text: string
}

/** What `#crypto` resolves to: `node:crypto` where it exists, otherwise Web Crypto. */
export interface Platform {
  hkdf(secret: string | Uint8Array<ArrayBuffer>, salt: string, info: string, length: number): Awaitable<ContentKey>
  /** A256GCM: `header..iv.ciphertext.tag` (RFC 7518 §5.3). `iv` has 12 bytes, and no two texts share one. */
  sealGcm(key: ContentKey, plain: PlainParts): Awaitable<string>
  /** Throws if the tag doesn't match. */
  openGcm(key: ContentKey, parts: SealedParts): Awaitable<string>
  /** A256CBC-HS512: `header..iv.ciphertext.tag` (RFC 7518 §5.2.5). `iv` has 16 bytes that an attacker can't predict. */
  sealCbc(key: ContentKey, plain: PlainParts): Awaitable<string>
  /** Throws if the tag doesn't match. */
  openCbc(key: ContentKey, parts: SealedParts): Awaitable<string>
  /** In lowercase hexadecimal. */
  sha256(text: string): Awaitable<string>
  /** In lowercase hexadecimal. */
  hmacSha256(key: string, text: string): Awaitable<string>
  /** The digest of the UTF-8 bytes, in base64url. */
  digest(algorithm: "SHA-256" | "SHA-512", text: string): Awaitable<string>
  toBase64Url(bytes: Uint8Array): string
}
