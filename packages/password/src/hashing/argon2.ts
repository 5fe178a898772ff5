import * as nodeCrypto from "node:crypto"
import { formatPhc, integerIn, type Phc, parsePhc } from "./phc.js"

/** Variants of Argon2 (RFC 9106). New hashes are always argon2id. */
export type Variant = "argon2d" | "argon2i" | "argon2id"

export interface Argon2Params {
  /** Memory in KiB. */
  readonly m: number
  /** Passes. */
  readonly t: number
  /** Lanes. */
  readonly p: number
}

/** OWASP's minimum with 19 MiB. */
export const argon2Defaults: Argon2Params = { m: 19_456, t: 2, p: 1 }

/** KiB. An imported hash with more isn't computed. */
const maxMemory = 1024 * 1024

/** The functions of `@node-rs/argon2` that are used. */
export interface Argon2Library {
  hashRaw(
    password: Uint8Array,
    options: {
      readonly memoryCost: number
      readonly timeCost: number
      readonly parallelism: number
      readonly outputLen: number
      readonly algorithm: number
      readonly version: number
      readonly salt: Uint8Array
    },
  ): Promise<Uint8Array>
}

export interface Argon2 {
  /** Computes argon2id with the default parameters. */
  hash(password: Uint8Array, salt: Uint8Array): Promise<Phc>
  verify(password: Uint8Array, phc: Phc): Promise<boolean>
}

/**
 * The Argon2 of this runtime: of `node:crypto` since Node 24.7, of Bun, or of a library that the application passes.
 * `undefined`: it has none.
 */
export async function findArgon2(load: (() => Promise<Argon2Library>) | undefined): Promise<Argon2 | undefined> {
  const native = nodeArgon2() ?? (load === undefined ? undefined : fromLibrary(await load()))
  return native === undefined ? bunArgon2() : fromRaw(native)
}

type Raw = (
  variant: Variant,
  input: {
    readonly password: Uint8Array
    readonly salt: Uint8Array
    readonly version: number
    readonly length: number
  },
  params: Argon2Params,
) => Promise<Uint8Array>

function fromRaw(raw: Raw): Argon2 {
  return {
    async hash(password, salt) {
      const params = argon2Defaults
      const hash = await raw("argon2id", { password, salt, version: 19, length: 32 }, params)
      return { id: "argon2id", version: 19, params: textOf(params), salt, hash }
    },
    async verify(password, phc) {
      const { salt, hash, version = 16 } = phc
      const computed = await raw(phc.id as Variant, { password, salt, version, length: hash.length }, argon2Params(phc))
      return computed.length === hash.length && nodeCrypto.timingSafeEqual(computed, hash)
    },
  }
}

/** In the order of the PHC string. */
function textOf({ m, t, p }: Argon2Params): Phc["params"] {
  return { m: String(m), t: String(t), p: String(p) }
}

/** @throws RangeError if one is missing, or too high */
export function argon2Params(phc: Phc): Argon2Params {
  const [m, t, p] = ["m", "t", "p"].map((name) => integerIn(phc, name))
  if (m === undefined || t === undefined || p === undefined) throw new RangeError("An argon2 hash lacks a parameter")
  if (m > maxMemory || t > 100 || p > 64) throw new RangeError("The parameters of an argon2 hash are too high")
  return { m, t, p }
}

function nodeArgon2(): Raw | undefined {
  const { argon2 } = nodeCrypto
  if (typeof argon2 !== "function" || !works()) return undefined
  return (variant, { password, salt, version, length }, { m, t, p }) =>
    new Promise((resolve, reject) => {
      if (version !== 19) throw new RangeError("This runtime only has version 1.3 of argon2")
      const parameters = { message: password, nonce: salt, parallelism: p, tagLength: length, memory: m, passes: t }
      argon2(variant, parameters, (error, key) => (error === null ? resolve(key) : reject(error)))
    })
}

/** Node may be built with an OpenSSL that lacks it. */
function works(): boolean {
  try {
    nodeCrypto.argon2Sync("argon2id", {
      message: "",
      nonce: new Uint8Array(16),
      parallelism: 1,
      tagLength: 16,
      memory: 8,
      passes: 1,
    })
    return true
  } catch {
    return false
  }
}

const algorithms: Readonly<Record<Variant, number>> = { argon2d: 0, argon2i: 1, argon2id: 2 }

function fromLibrary({ hashRaw }: Argon2Library): Raw {
  return async (variant, { password, salt, version, length }, { m, t, p }) =>
    hashRaw(password, {
      memoryCost: m,
      timeCost: t,
      parallelism: p,
      outputLen: length,
      algorithm: algorithms[variant],
      // 0 is version 1.0, and 1 is 1.3.
      version: version === 19 ? 1 : 0,
      salt,
    })
}

interface BunPassword {
  hash(
    password: Uint8Array,
    options: { readonly algorithm: "argon2id"; readonly memoryCost: number; readonly timeCost: number },
  ): Promise<string>
  verify(password: Uint8Array, hash: string): Promise<boolean>
}

/** Bun takes and returns PHC strings, and chooses the salt. */
function bunArgon2(): Argon2 | undefined {
  const bun: unknown = Reflect.get(globalThis, "Bun")
  if (typeof bun !== "object" || bun === null || !("password" in bun)) return undefined
  const password = bun.password as BunPassword
  const { m: memoryCost, t: timeCost } = argon2Defaults
  return {
    async hash(bytes) {
      const phc = parsePhc(await password.hash(bytes, { algorithm: "argon2id", memoryCost, timeCost }))
      if (phc === undefined) throw new TypeError("Bun.password.hash returned no PHC string")
      return phc
    },
    async verify(bytes, phc) {
      // It knows no other parameters.
      return password.verify(bytes, formatPhc({ ...phc, params: textOf(argon2Params(phc)) }))
    },
  }
}
