import { sha256 } from "../encoding.js"
import type { Algorithm } from "../options.js"
import type { Jwk } from "../verify/verify.js"

/** A private key, and what verifies what it signed. */
export interface SigningKey {
  readonly algorithm: Algorithm
  readonly kid: string
  readonly private: Jwk
  readonly public: PublicKey
}

/** A key as the key set publishes it (RFC 7517). */
export interface PublicKey {
  readonly kty: string
  readonly crv: string
  readonly x: string
  readonly y?: string
  readonly kid: string
  readonly alg: Algorithm
  readonly use: "sig"
}

/** How Web Crypto names the algorithms of RFC 7518 and RFC 8037. */
const algorithms = {
  ES256: { kty: "EC", crv: "P-256", web: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } },
  EdDSA: { kty: "OKP", crv: "Ed25519", web: { name: "Ed25519" } },
} as const

const names = ["ES256", "EdDSA"] as const

/** The algorithm that a private key is for. `undefined`: it's none that this module signs with. */
export function algorithmOf({ kty, crv, x, y, d }: Jwk): Algorithm | undefined {
  if ([x, d].includes(undefined) || (kty === "EC" && y === undefined)) return undefined
  return names.find((name) => algorithms[name].kty === kty && algorithms[name].crv === crv)
}

/** A new key, as JWK. */
export async function generateKey(algorithm: Algorithm): Promise<Jwk> {
  const pair = await crypto.subtle.generateKey(algorithms[algorithm].web, true, ["sign", "verify"])
  return crypto.subtle.exportKey("jwk", "privateKey" in pair ? pair.privateKey : pair)
}

/** @throws TypeError if it isn't a private key for one of the algorithms */
export async function signingKey(jwk: Jwk): Promise<SigningKey> {
  const algorithm = algorithmOf(jwk)
  const { kty, crv, x, y } = jwk
  if (algorithm === undefined || kty === undefined || crv === undefined || x === undefined)
    throw new TypeError("A key isn't a private JWK for ES256 or EdDSA")
  const point = { crv, kty, x, ...(y !== undefined && { y }) }
  // RFC 7638: these members, in this order.
  const kid = typeof jwk.kid === "string" ? jwk.kid : await sha256(JSON.stringify(point))
  return { algorithm, kid, private: jwk, public: { ...point, kid, alg: algorithm, use: "sig" } }
}

/** The signature of a text. */
export async function sign(key: SigningKey, text: string): Promise<Uint8Array> {
  const imported = privateKeys.get(key.private) ?? importKey(key)
  privateKeys.set(key.private, imported)
  const { web } = algorithms[key.algorithm]
  return new Uint8Array(await crypto.subtle.sign(web, await imported, new TextEncoder().encode(text)))
}

const privateKeys = new WeakMap<Jwk, Promise<CryptoKey>>()

async function importKey({ algorithm, private: { kty, crv, x, y, d } }: SigningKey): Promise<CryptoKey> {
  const plain = { kty, crv, x, d, ...(y !== undefined && { y }) } as Jwk
  return crypto.subtle.importKey("jwk", plain, algorithms[algorithm].web, false, ["sign"])
}
