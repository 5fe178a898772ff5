import { toBase64Url } from "@latchkey/core/module"

export function jsonToBase64Url(value: object): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify(value)))
}

/** SHA-256 in base64url. */
export async function sha256(text: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))))
}
