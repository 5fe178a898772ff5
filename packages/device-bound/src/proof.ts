// A DBSC proof (§9.10): a JWT that is signed with the key of the session.

/** The algorithms of the draft, and the public key of each (RFC 7518). Nothing else of a JWK is used. */
const algorithms: Readonly<Record<Algorithm, Scheme>> = {
  ES256: {
    name: { name: "ECDSA", namedCurve: "P-256" },
    signature: { name: "ECDSA", hash: "SHA-256" },
    key: { kty: /^EC$/, crv: /^P-256$/, x: /^[\w-]{43}$/, y: /^[\w-]{43}$/ },
  },
  RS256: {
    name: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
    signature: { name: "RSASSA-PKCS1-v1_5" },
    // 2048 to 4096 bits.
    key: { kty: /^RSA$/, n: /^[\w-]{342,683}$/, e: /^AQAB$/ },
  },
}

type Algorithm = "ES256" | "RS256"

interface Scheme {
  readonly name: EcKeyImportParams | RsaHashedImportParams
  readonly signature: EcdsaParams | { readonly name: string }
  /** What each member has to be. */
  readonly key: Readonly<Record<string, RegExp>>
}

export interface PublicKey {
  readonly alg: Algorithm
  readonly jwk: JsonWebKey
}

export interface Proof {
  readonly alg: Algorithm
  /** The challenge that it answers. */
  readonly challenge: string
  /** Where the browser says that the key is: of a registration alone. */
  readonly jwk: unknown
  readonly signed: string
  readonly signature: Uint8Array<ArrayBuffer>
}

/** A text of a structured field (RFC 9651 §3.3.3). Chromium sends it without the quotes. */
export function textIn(headers: Headers, name: string): string | undefined {
  return headers.get(name)?.replaceAll(/^"|"$/g, "")
}

/** `null`: there is none, or it's no proof. */
export function proofIn(headers: Headers): Proof | null {
  const parts = /^([\w-]+)\.([\w-]+)\.([\w-]*)$/.exec(textIn(headers, "secure-session-response") ?? "")
  const [, head = "", body = "", end = ""] = parts ?? []
  const [header, claims, signature] = [objectIn(head), objectIn(body), bytesIn(end)]
  const [alg, challenge] = [algorithmOf(header), claims["jti"]]
  if (alg === undefined || typeof challenge !== "string") return null
  // The published working draft has the key among the claims.
  return signature && { alg, challenge, jwk: header["jwk"] ?? claims["key"], signed: `${head}.${body}`, signature }
}

/** The key that a proof names. `undefined`: it names none of its algorithm. */
export function publicKeyIn({ alg, jwk: given }: Pick<Proof, "alg" | "jwk">): PublicKey | undefined {
  const members: Readonly<Record<string, unknown>> = Object(given)
  const jwk: Record<string, string> = {}
  for (const [name, pattern] of Object.entries(algorithms[alg].key)) {
    const value = members[name]
    if (typeof value !== "string" || !pattern.test(value)) return undefined
    jwk[name] = value
  }
  return { alg, jwk }
}

export function isPublicKey(given: unknown): given is PublicKey {
  const { alg, jwk }: { readonly alg?: unknown; readonly jwk?: unknown } = Object(given)
  return isAlgorithm(alg) && publicKeyIn({ alg, jwk }) !== undefined
}

/** Whether this key, with its own algorithm, signed the proof. */
export async function verifies(proof: Proof, { alg, jwk }: PublicKey): Promise<boolean> {
  if (proof.alg !== alg) return false
  const { name, signature } = algorithms[alg]
  try {
    const key = await crypto.subtle.importKey("jwk", jwk, name, false, ["verify"])
    return await crypto.subtle.verify(signature, key, proof.signature, new TextEncoder().encode(proof.signed))
  } catch {
    // The point isn't on the curve.
    return false
  }
}

function algorithmOf({ typ, alg }: Readonly<Record<string, unknown>>): Algorithm | undefined {
  return typ === "dbsc+jwt" && isAlgorithm(alg) ? alg : undefined
}

function isAlgorithm(given: unknown): given is Algorithm {
  return typeof given === "string" && Object.hasOwn(algorithms, given)
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(new TextDecoder().decode(bytesIn(text) ?? undefined)))
  } catch {
    return {}
  }
}

function bytesIn(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (byte) => byte.charCodeAt(0))
  } catch {
    return null
  }
}
