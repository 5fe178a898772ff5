// The whole of Node that the engine touches, so that it compiles without Node's types.
declare module "node:crypto" {
  import type { Bytes } from "node:buffer"
  interface Cipher {
    setAAD(aad: Uint8Array): this
    update(data: string, inputEncoding: "utf8", outputEncoding: "base64url"): string
    final(outputEncoding: "base64url"): string
    getAuthTag(): Uint8Array
  }
  interface Decipher {
    setAAD(aad: Uint8Array): this
    setAuthTag(tag: Uint8Array): this
    update(data: Uint8Array): Bytes
    update(data: Uint8Array, inputEncoding: undefined, outputEncoding: "utf8"): string
    final(): Bytes
    final(outputEncoding: "utf8"): string
  }
  interface Hash {
    update(data: string | Uint8Array): this
    digest(): Uint8Array
    digest(encoding: "hex" | "base64url"): string
  }
  export interface KeyObject {
    readonly type: string
  }
  export function createSecretKey(key: Uint8Array): KeyObject
  export function createCipheriv(
    algorithm: string,
    key: KeyObject,
    iv: Uint8Array,
    options?: { authTagLength: number },
  ): Cipher
  export function createDecipheriv(
    algorithm: string,
    key: KeyObject,
    iv: Uint8Array,
    options?: { authTagLength: number },
  ): Decipher
  export function createHash(algorithm: string): Hash
  export function createHmac(algorithm: string, key: KeyObject | string): Hash
  export function hkdfSync(
    digest: string,
    key: string | Uint8Array,
    salt: string,
    info: string,
    length: number,
  ): ArrayBuffer
  export function randomFillSync(buffer: Uint8Array): Uint8Array
  export function timingSafeEqual(a: Uint8Array, b: Uint8Array): boolean
}

declare module "node:buffer" {
  export interface Bytes extends Uint8Array<ArrayBuffer> {
    toString(encoding?: "base64url" | "utf8" | "hex"): string
  }
  export const Buffer: {
    from(text: string, encoding: "base64url" | "utf8" | "latin1"): Bytes
    from(buffer: ArrayBufferLike, byteOffset?: number, length?: number): Bytes
    concat(parts: readonly Uint8Array[]): Bytes
  }
}
