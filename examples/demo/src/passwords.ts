import { randomBytes, scrypt } from "node:crypto"
import { promisify } from "node:util"

const derive: (password: string, salt: Buffer, length: number) => Promise<Buffer> = promisify(scrypt)

/** A hash in PHC format, as another system could have made it. Node.js derives with N=2^14, r=8 and p=1. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  return `$scrypt$ln=14,r=8,p=1$${base64(salt)}$${base64(await derive(password.normalize("NFKC"), salt, 32))}`
}

const base64 = (bytes: Buffer): string => bytes.toString("base64").replaceAll("=", "")
