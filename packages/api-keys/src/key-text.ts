// The text of a key: `prefix_id_secret`, and a checksum, as scanners for leaked keys expect it.

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** 95 bits, so that ids don't collide and aren't found by trying. */
const idLength = 16

/** 190 bits. So many need no slow hash (OWASP ASVS 6.5.2). */
const secretLength = 32

/** CRC-32 in base 62. */
const checksumLength = 6

export interface KeyText {
  /** Public: it finds the key. */
  readonly id: string
  readonly secret: string
}

type Random = (bytes: number) => Uint8Array

export function newId(random: Random): string {
  return randomText(idLength, random)
}

export function newSecret(random: Random): string {
  return randomText(secretLength, random)
}

/** What the user copies. */
export function formatKey(prefix: string, { id, secret }: KeyText): string {
  const text = `${prefix}_${id}_${secret}`
  return text + checksumOf(text)
}

/** `undefined`: it isn't a key with this prefix, or was mistyped. */
export function parseKey(prefix: string, typed: string): KeyText | undefined {
  const rest = typed.startsWith(`${prefix}_`) ? typed.slice(prefix.length + 1) : ""
  const [, id, secret, checksum] = shape.exec(rest) ?? []
  if (id === undefined || secret === undefined) return undefined
  return checksumOf(`${prefix}_${id}_${secret}`) === checksum ? { id, secret } : undefined
}

const character = "[0-9A-Za-z]"
const shape = new RegExp(
  `^(${character}{${idLength}})_(${character}{${secretLength}})(${character}{${checksumLength}})$`,
)

/** Each character is as likely as the others: bytes that would favor some are left out. */
function randomText(length: number, random: Random): string {
  let text = ""
  while (text.length < length) {
    for (const byte of random(length)) {
      const digit = digits[byte & 63]
      if (digit !== undefined && text.length < length) text += digit
    }
  }
  return text
}

function checksumOf(text: string): string {
  let rest = crc32(text)
  let checksum = ""
  for (let place = 0; place < checksumLength; place++) {
    checksum = (digits[rest % 62] ?? "") + checksum
    rest = Math.floor(rest / 62)
  }
  return checksum
}

/** ISO 3309, as in gzip. The text is ASCII. */
function crc32(text: string): number {
  let crc = 0xffffffff
  for (let index = 0; index < text.length; index++) {
    crc ^= text.charCodeAt(index)
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return (crc ^ 0xffffffff) >>> 0
}
