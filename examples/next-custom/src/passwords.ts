import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"

const derive: (password: string, salt: Buffer, length: number) => Promise<Buffer> = promisify(scrypt)

/** Bytes. */
const keyLength = 32

/** Returns the salt and the key, separated by a dot. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const key = await derive(password.normalize("NFKC"), salt, keyLength)
  return `${salt.toString("base64url")}.${key.toString("base64url")}`
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [salt = "", key = ""] = stored.split(".")
  const expected = Buffer.from(key, "base64url")
  const derived = await derive(password.normalize("NFKC"), Buffer.from(salt, "base64url"), keyLength)
  return expected.length === keyLength && timingSafeEqual(derived, expected)
}
