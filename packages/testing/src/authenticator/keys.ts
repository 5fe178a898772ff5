import type { CryptoKey } from "jose"
import { fromBase64url, type Bytes } from "./bytes.js"
import { derSignature } from "./der.js"
import type { CoseKey } from "./fault.js"
import type { CredentialAlgorithm } from "./model.js"

/** The key pair of one credential. */
export interface CredentialKey {
  /** COSE algorithm identifier. */
  readonly algorithm: number
  readonly publicKey: CoseKey
  /** The public key as SubjectPublicKeyInfo. */
  readonly spki: Bytes
  sign(data: Bytes): Promise<Bytes>
}

interface Suite {
  /** COSE algorithm identifier (IANA COSE Algorithms). */
  readonly id: number
  readonly generation: { readonly name: string; readonly [parameter: string]: unknown }
  readonly signing: { readonly name: string; readonly hash?: string }
  /** Parameters of the COSE key besides `alg`; texts are members of the JWK. */
  readonly cose: readonly (readonly [label: number, value: number | "x" | "y" | "n" | "e"])[]
  readonly encode: (signature: Bytes) => Bytes
}

const unchanged = (signature: Bytes): Bytes => signature

const suites: Readonly<Record<CredentialAlgorithm, Suite>> = {
  ES256: {
    id: -7,
    generation: { name: "ECDSA", namedCurve: "P-256" },
    signing: { name: "ECDSA", hash: "SHA-256" },
    cose: [
      [1, 2],
      [-1, 1],
      [-2, "x"],
      [-3, "y"],
    ],
    encode: derSignature,
  },
  EdDSA: {
    id: -8,
    generation: { name: "Ed25519" },
    signing: { name: "Ed25519" },
    cose: [
      [1, 1],
      [-1, 6],
      [-2, "x"],
    ],
    encode: unchanged,
  },
  RS256: {
    id: -257,
    generation: {
      name: "RSASSA-PKCS1-v1_5",
      modulusLength: 2048,
      publicExponent: Uint8Array.of(1, 0, 1),
      hash: "SHA-256",
    },
    signing: { name: "RSASSA-PKCS1-v1_5" },
    cose: [
      [1, 3],
      [-1, "n"],
      [-2, "e"],
    ],
    encode: unchanged,
  },
}

export function algorithmId(algorithm: CredentialAlgorithm): number {
  return suites[algorithm].id
}

export async function generateCredentialKey(algorithm: CredentialAlgorithm): Promise<CredentialKey> {
  const { id, generation, signing, cose, encode } = suites[algorithm]
  const { privateKey, publicKey } = await generatePair(generation)
  const jwk = await crypto.subtle.exportKey("jwk", publicKey)
  const value = (part: number | "x" | "y" | "n" | "e") =>
    typeof part === "number" ? part : fromBase64url(jwk[part] ?? "")
  return {
    algorithm: id,
    publicKey: new Map<number, number | Bytes>([
      [3, id],
      ...cose.map(([label, part]) => [label, value(part)] as const),
    ]),
    spki: new Uint8Array(await crypto.subtle.exportKey("spki", publicKey)),
    sign: async (data) => encode(new Uint8Array(await crypto.subtle.sign(signing, privateKey, data))),
  }
}

async function generatePair(generation: Suite["generation"]): Promise<{
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
}> {
  const keys = await crypto.subtle.generateKey(generation, true, ["sign", "verify"])
  if ("privateKey" in keys) return keys
  throw new TypeError(`${generation.name} has no key pairs.`)
}
