import {
  CompactSign,
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JSONWebKeySet,
  type JWK,
} from "jose"
import type { UnsignedToken } from "./messages.js"
import type { SigningAlgorithm } from "./model.js"

interface SigningKey {
  readonly kid: string
  readonly privateKey: CryptoKey
  readonly publicKey: CryptoKey
  readonly published: JWK
}

/** The keys of one provider. */
export interface KeyRing {
  /** The correct header: `alg`, `kid` and `typ`. */
  header(typ: string): Promise<UnsignedToken["header"]>
  sign(token: UnsignedToken): Promise<string>
  published(): Promise<JSONWebKeySet>
  rotate(keepOld: boolean): void
}

/** Generating an RSA key is slow, so the n-th key of an issuer is generated once per process. */
const cache = new Map<string, Promise<SigningKey>>()

function keyNamed(name: string, algorithm: string): Promise<SigningKey> {
  const cached = cache.get(`${algorithm} ${name}`)
  if (cached !== undefined) return cached
  const key = generateKey(algorithm)
  cache.set(`${algorithm} ${name}`, key)
  return key
}

async function generateKey(algorithm: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(algorithm, { extractable: true })
  const jwk = await exportJWK(publicKey)
  const kid = await calculateJwkThumbprint(jwk)
  return { kid, privateKey, publicKey, published: { ...jwk, kid, alg: algorithm, use: "sig" } }
}

export function createKeyRing(issuer: string, algorithm: SigningAlgorithm, clientSecret: string): KeyRing {
  let generation = 0
  let oldest = 0
  const isShared = algorithm === "HS256"
  const key = (nth: number) => keyNamed(`${issuer} ${nth}`, algorithm)
  const publicText = async (nth: number) => await exportSPKI((await key(nth)).publicKey)
  return {
    async header(typ) {
      return { alg: algorithm, typ, ...(isShared ? {} : { kid: (await key(generation)).kid }) }
    },
    async sign({ header, claims, key: which }) {
      if (header.alg === "none") return unsecured(header, claims)
      const name = which === "stray" ? "stray" : `${issuer} ${generation}`
      const secrets = {
        own: async () => clientSecret,
        stray: async () => stray,
        published: () => publicText(generation),
      }
      return await signed(header, claims, await signingKey(header.alg, name, secrets[which ?? "own"]))
    },
    async published() {
      if (isShared) return { keys: [] }
      const alive = Array.from({ length: generation - oldest + 1 }, (_, nth) => key(oldest + nth))
      return { keys: (await Promise.all(alive)).map(({ published }) => published).toReversed() }
    },
    rotate(keepOld) {
      generation += 1
      if (!keepOld) oldest = generation
    },
  }
}

/** A secret that isn't shared with any client. */
const stray = "a-secret-that-was-never-shared-with-any-client"

async function signingKey(
  algorithm: string,
  name: string,
  secret: () => Promise<string>,
): Promise<CryptoKey | Uint8Array> {
  if (algorithm.startsWith("HS")) return new TextEncoder().encode(await secret())
  return (await keyNamed(name, algorithm)).privateKey
}

/** Signs the claims without checks. The `SignJWT` class of jose rejects some claims that tests need to be wrong. */
async function signed(
  header: UnsignedToken["header"],
  claims: UnsignedToken["claims"],
  key: CryptoKey | Uint8Array,
): Promise<string> {
  const understood = Object.fromEntries(criticalNames(header).map((name) => [name, true]))
  const payload = new TextEncoder().encode(JSON.stringify(claims))
  return await new CompactSign(payload).setProtectedHeader(header).sign(key, { crit: understood })
}

function criticalNames({ crit }: UnsignedToken["header"]): readonly string[] {
  return Array.isArray(crit) ? crit.map(String) : []
}

function unsecured(header: UnsignedToken["header"], claims: UnsignedToken["claims"]): string {
  const { kid: _, ...rest } = header
  return `${encoded(rest)}.${encoded(claims)}.`
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url")
}
