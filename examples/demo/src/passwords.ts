import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { promisify } from "node:util"

const derive: (password: string, salt: Buffer, length: number) => Promise<Buffer> = promisify(scrypt)

const lengthInBytes = 32

/** Returns the salt and the derived key, separated by a dot. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  return `${salt.toString("base64url")}.${(await derive(password.normalize("NFKC"), salt, lengthInBytes)).toString("base64url")}`
}

export async function verifyPassword(password: string, stored: string): Promise<boolean> {
  const [salt = "", key = ""] = stored.split(".").map((part) => Buffer.from(part, "base64url"))
  const derived = await derive(password.normalize("NFKC"), Buffer.from(salt), lengthInBytes)
  return key.length === lengthInBytes && timingSafeEqual(derived, Buffer.from(key))
}
