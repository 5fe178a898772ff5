import { crc32 } from "node:zlib"

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/** As a scanner checks it: CRC-32 of what comes before, in base 62. */
export function checksumOf(text: string): string {
  let [rest, checksum] = [crc32(text), ""]
  for (let place = 0; place < 6; place++) {
    checksum = `${digits[rest % 62]}${checksum}`
    rest = Math.floor(rest / 62)
  }
  return checksum
}

/** A key with another id or secret, and a checksum that fits. */
export function forged(key: string, change: (text: string) => string): string {
  const text = change(key.slice(0, -6))
  return text + checksumOf(text)
}
