import { createHmac, sign } from "node:crypto"
import type { Fault } from "@latchkey/testing"
import { exportJWK, generateKeyPair, type JWK } from "jose"

type Fields = Readonly<Record<string, unknown>>

/** A key of the provider that signs any header and payload; libraries refuse to sign most invalid tokens. */
export interface Pen {
  readonly alg: "RS256" | "ES256"
  readonly published: JWK
  /** Compact serialization; a string payload is used unchanged. */
  write(header: Fields, payload: Fields | string): string
}

interface Pair {
  readonly secret: JWK
  readonly open: JWK
}

const made = new Map<string, Promise<Pair>>()

async function makePair(alg: Pen["alg"]): Promise<Pair> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true })
  return { secret: await exportJWK(privateKey), open: await exportJWK(publicKey) }
}

export async function penOf(alg: Pen["alg"], kid: string): Promise<Pen> {
  const making = made.get(`${alg} ${kid}`) ?? makePair(alg)
  made.set(`${alg} ${kid}`, making)
  const { secret, open } = await making
  return {
    alg,
    published: { ...open, kid, alg, use: "sig" },
    write: (header, payload) => {
      const text = `${encoded({ alg, kid, ...header })}.${typeof payload === "string" ? payload : encoded(payload)}`
      const signature = sign("sha256", Buffer.from(text), { key: secret, format: "jwk", dsaEncoding: "ieee-p1363" })
      return `${text}.${signature.toString("base64url")}`
    },
  }
}

export function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url")
}

export function macOf(text: string, secret: string, hash = "sha256"): string {
  return createHmac(hash, secret).update(text).digest("base64url")
}

/** Publishes only these keys. */
export function publishing(...pens: readonly Pen[]): Fault {
  return { jwks: () => ({ keys: pens.map(({ published }) => published) }) }
}

/** Sets the ID token algorithms in the metadata. */
export function advertising(...algorithms: readonly string[]): Fault {
  return {
    discovery: (answer) => ({
      ...answer,
      body: { ...answer.body, id_token_signing_alg_values_supported: algorithms },
    }),
  }
}

/** Replaces the signature of a token. */
export function withSignature(token: string, change: (signature: Uint8Array) => Uint8Array | string): string {
  const [header, payload, signature = ""] = token.split(".")
  const changed = change(Buffer.from(signature, "base64url"))
  return `${header}.${payload}.${typeof changed === "string" ? changed : Buffer.from(changed).toString("base64url")}`
}
