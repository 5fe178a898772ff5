import type { Awaitable } from "../model/user.js"

/** A key as the platform likes it: opaque outside `crypto/`. */
export interface ContentKey {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly handle: unknown
}

/** The four parts of a compact JWE with `alg: "dir"`, still in base64url (RFC 7516 §7.1). */
export interface SealedParts {
  readonly header: string
  readonly iv: string
  readonly ciphertext: string
  readonly tag: string
}

/** What `#crypto` resolves to: `node:crypto` where there is one, Web Crypto elsewhere. */
export interface Platform {
  hkdf(secret: string, salt: string, info: string, length: number): Awaitable<ContentKey>
  /** A256GCM: `header..iv.ciphertext.tag` (RFC 7518 §5.3). */
  sealGcm(key: ContentKey, header: string, plaintext: string): Awaitable<string>
  /** Throws when the tag does not match. */
  openGcm(key: ContentKey, parts: SealedParts): Awaitable<string>
  /** A256CBC-HS512 (RFC 7518 §5.2.5). Throws when the tag does not match. */
  openCbc(key: ContentKey, parts: SealedParts): Awaitable<string>
  /** Lower-case hexadecimal. */
  sha256(text: string): Awaitable<string>
  /** Lower-case hexadecimal. */
  hmacSha256(key: string, text: string): Awaitable<string>
  /** base64url; of the bytes of `text`. */
  digest(algorithm: "SHA-256" | "SHA-512", text: string): Awaitable<string>
  toBase64Url(bytes: Uint8Array): string
}
