const encoder = new TextEncoder()

export type Bytes = Uint8Array<ArrayBuffer>

export function utf8(text: string): Bytes {
  return encoder.encode(text)
}

export function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("base64url")
}

export function fromBase64url(text: string): Bytes {
  return Uint8Array.from(Buffer.from(text, "base64url"))
}

export function randomBytes(length: number): Bytes {
  return crypto.getRandomValues(new Uint8Array(length))
}

export function concat(...parts: readonly Uint8Array[]): Bytes {
  return Uint8Array.from(Buffer.concat(parts))
}

export async function sha256(bytes: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))
}
