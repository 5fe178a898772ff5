import { createCipheriv, hkdfSync, randomBytes } from "crypto"
import type { Browser } from "@latchkey/testing"
import { strongSecret } from "../modes/setup.js"

export const version4Name = "__Secure-next-auth.session-token"

export interface Forged {
  readonly content: object | string
  readonly header?: object
  readonly secret?: string
  /** Version 4 has an empty one for session cookies, and the name of the cookie for all others. */
  readonly salt?: string
}

/** Encrypts a token as next-auth 4 does, with the secret of the application or another one. */
export function forgeVersion4({ content, header = {}, secret = strongSecret, salt = "" }: Forged): string {
  const info = `NextAuth.js Generated Encryption Key${salt === "" ? "" : ` (${salt})`}`
  const key = new Uint8Array(hkdfSync("sha256", secret, salt, info, 32))
  const named = Buffer.from(JSON.stringify({ alg: "dir", enc: "A256GCM", ...header })).toString("base64url")
  const iv = randomBytes(12)
  const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(Buffer.from(named))
  const text = typeof content === "string" ? content : JSON.stringify(content)
  const sealed = Buffer.concat([cipher.update(text), cipher.final()])
  const parts = [iv, sealed, cipher.getAuthTag()].map((part) => part.toString("base64url"))
  return [named, "", ...parts].join(".")
}

/** Puts a cookie into the browser, as a response of next-auth 4 would. */
export function putCookie(browser: Browser, name: string, value: string): void {
  browser.jar.put({
    name,
    value,
    domain: "app.test",
    hostOnly: true,
    path: "/",
    expires: undefined,
    secure: true,
    httpOnly: true,
    sameSite: "lax",
  })
}
