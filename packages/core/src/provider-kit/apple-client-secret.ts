import { AuthError } from "../errors.js"

export interface AppleKey {
  readonly teamId: string
  readonly keyId: string
  /** The text of the `.p8` file. */
  readonly privateKey: string
}

/** Seconds. Apple allows six months, but a secret that is signed for each request needs minutes. */
const lifetime = 300

/**
 * The JWT that Apple accepts as a client secret, signed with ES256.
 *
 * @param now milliseconds since 1970
 * @throws AuthError when the key can't be read
 * @see https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret
 */
export async function signClientSecret(
  { teamId, keyId, privateKey }: AppleKey,
  clientId: string,
  now: number,
): Promise<string> {
  const iat = Math.floor(now / 1000)
  const claims = { iss: teamId, sub: clientId, aud: "https://appleid.apple.com", iat, exp: iat + lifetime }
  const text = `${encode({ alg: "ES256", kid: keyId })}.${encode(claims)}`
  const key = await importKey(privateKey)
  const signature = await crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, new TextEncoder().encode(text))
  return `${text}.${base64Url(String.fromCharCode(...new Uint8Array(signature)))}`
}

async function importKey(pem: string): ReturnType<typeof crypto.subtle.importKey> {
  try {
    // Environment variables often hold line breaks as a literal `\n`.
    const base64 = pem.replaceAll(/\\n|-----[^-]+-----|\s/g, "")
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    return await crypto.subtle.importKey("pkcs8", bytes, { name: "ECDSA", namedCurve: "P-256" }, false, ["sign"])
  } catch (err) {
    throw new AuthError("Apple's private key can't be read. Set AUTH_APPLE_KEY to the whole text of the .p8 file.", {
      err: err instanceof Error ? err : new Error(String(err)),
    })
  }
}

function encode(part: object): string {
  return base64Url(JSON.stringify(part))
}

function base64Url(binary: string): string {
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "")
}
