import { createCipheriv, createDecipheriv } from "node:crypto"

/** The constants of ChaCha20, "expand 32-byte k" (RFC 8439 §2.3). */
const constants = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]

/** Bytes. */
const [nonceLength, tagLength] = [24, 16]

/**
 * Opens XChaCha20-Poly1305: nonce, ciphertext and tag in one. Node has ChaCha20-Poly1305, and the extended nonce only adds a subkey.
 *
 * @throws Error if it was sealed with another key
 */
export function openXChaCha(key: Uint8Array, sealed: Uint8Array): Buffer {
  const nonce = sealed.subarray(0, nonceLength)
  const iv = Buffer.concat([Buffer.alloc(4), nonce.subarray(16)])
  const decipher = createDecipheriv("chacha20-poly1305", subkey(key, nonce.subarray(0, 16)), iv, {
    authTagLength: tagLength,
  })
  decipher.setAuthTag(sealed.subarray(sealed.length - tagLength))
  return Buffer.concat([decipher.update(sealed.subarray(nonceLength, sealed.length - tagLength)), decipher.final()])
}

/**
 * HChaCha20 (draft-irtf-cfrg-xchacha §2.2): a block of ChaCha20 without the last addition of the start, so it's subtracted here. The
 * words at both ends are the key.
 */
function subkey(key: Uint8Array, nonce: Uint8Array): Buffer {
  const block = createCipheriv("chacha20", key, nonce).update(Buffer.alloc(64))
  const start = Buffer.from(nonce)
  const words = [0, 1, 2, 3].map((index) => block.readUInt32LE(index * 4) - (constants[index] ?? 0))
  const lastWords = [0, 1, 2, 3].map((index) => block.readUInt32LE(48 + index * 4) - start.readUInt32LE(index * 4))
  const derived = Buffer.alloc(32)
  for (const [index, word] of [...words, ...lastWords].entries()) derived.writeUInt32LE(word >>> 0, index * 4)
  return derived
}
