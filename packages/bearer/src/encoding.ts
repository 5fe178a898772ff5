export function toBase64Url(bytes: Uint8Array): string {
  let binary = ""
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}

export function jsonToBase64Url(value: object): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify(value)))
}

/** SHA-256 in base64url. */
export async function sha256(text: string): Promise<string> {
  return toBase64Url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))))
}

/** Whether two secrets are equal, in a time that tells nothing about them. */
export async function sameSecret(one: string, other: string): Promise<boolean> {
  const [first, second] = [await sha256(one), await sha256(other)]
  let difference = 0
  for (let index = 0; index < first.length; index++) difference |= first.charCodeAt(index) ^ second.charCodeAt(index)
  return difference === 0
}
