import { concat, type Bytes } from "./bytes.js"

/** The tags of ASN.1 types that certificates and signatures use (ITU-T X.690). */
export const tags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  utcTime: 0x17,
  sequence: 0x30,
  set: 0x31,
  version: 0xa0,
  extensions: 0xa3,
} as const

export function der(tag: number, ...contents: readonly Uint8Array[]): Bytes {
  const content = concat(...contents)
  return concat(Uint8Array.of(tag, ...lengthOf(content)), content)
}

function lengthOf({ length }: Uint8Array): readonly number[] {
  if (length < 0x80) return [length]
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
}

/** A non-negative integer, with the fewest bytes and a leading zero if the sign bit would be set. */
export function derInteger(bytes: Uint8Array): Bytes {
  const start = bytes.findIndex((byte) => byte !== 0)
  const digits = start < 0 ? Uint8Array.of(0) : bytes.subarray(start)
  return der(tags.integer, (digits[0] ?? 0) & 0x80 ? Uint8Array.of(0) : new Uint8Array(), digits)
}

/** WebCrypto returns `r` and `s` without structure; WebAuthn and X.509 use a sequence (WebAuthn Level 3 §6.5.5). */
export function derSignature(raw: Uint8Array): Bytes {
  const half = raw.length / 2
  return der(tags.sequence, derInteger(raw.subarray(0, half)), derInteger(raw.subarray(half)))
}
