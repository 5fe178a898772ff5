import { randomBytes, timingSafeEqual } from "node:crypto"
import { isHashable } from "../policy/policy.js"
import { opaqueString } from "../policy/opaque-string.js"
import { type Argon2, argon2Defaults, type Argon2Library, findArgon2 } from "./argon2.js"
import { createGate, type GateOptions } from "./gate.js"
import { type BcryptLoader, importedFormatOf } from "./imported.js"
import { type Pepper, peppered } from "./pepper.js"
import { formatPhc, integerIn, type Phc, parsePhc } from "./phc.js"
import { scryptDefaults, scryptHash, type ScryptParams } from "./scrypt.js"

export interface HasherOptions extends GateOptions {
  readonly algorithm: "argon2id" | "scrypt" | undefined
  readonly argon2: (() => Promise<Argon2Library>) | undefined
  readonly bcrypt?: BcryptLoader
  /** The first one is for new hashes. */
  readonly peppers: readonly Pepper[]
}

export interface Verdict {
  readonly isRight: boolean
  /** The hash has other parameters than new ones, so it should be made anew. */
  readonly isOutdated: boolean
}

export interface Hasher {
  /** @throws Busy */
  hash(typed: string): Promise<string>
  /** @throws Busy, or UnknownHash if this runtime can't verify it */
  verify(typed: string, stored: string): Promise<Verdict>
  /** Whether the hash is made anew at the next sign-in. */
  isOutdated(stored: string): Promise<boolean>
  /** Takes as long as `verify`, for a user who doesn't exist. @throws Busy */
  waste(typed: string): Promise<void>
}

/** A hash that can't be verified here. */
export class UnknownHash extends Error {
  override readonly name = "UnknownHash"
}

export function createHasher(options: HasherOptions): Hasher {
  const { peppers } = options
  const gate = createGate(options)
  let found: Promise<Argon2 | undefined> | undefined
  const argon2 = () => (found ??= findArgon2(options.argon2))
  const pepper = peppers[0]?.id

  async function make(typed: string): Promise<string> {
    const own = options.algorithm === "scrypt" ? undefined : await argon2()
    if (own === undefined && options.algorithm === "argon2id") throw noArgon2()
    const password = peppered(opaqueString(typed), pepper, peppers)
    const salt = randomBytes(16)
    const phc = own === undefined ? await newScrypt(password, salt) : await own.hash(password, salt)
    const params = { ...phc.params, ...(pepper !== undefined && { keyid: pepper }) }
    return formatPhc({ ...phc, params })
  }

  async function isRight(typed: string, phc: Phc): Promise<boolean> {
    const password = peppered(opaqueString(typed), phc.params["keyid"], peppers)
    if (phc.id === "scrypt") return isRightScrypt(password, phc)
    const own = await argon2()
    if (own === undefined) throw noArgon2()
    return own.verify(password, phc)
  }

  async function isOutdated({ id, params, version, salt, hash }: Phc): Promise<boolean> {
    const isArgon2 = options.algorithm !== "scrypt" && (await argon2()) !== undefined
    const wanted = isArgon2
      ? { id: "argon2id", version: 19, ...numbers(argon2Defaults) }
      : { id: "scrypt", ...numbers(scryptDefaults) }
    const { keyid, ...own } = params
    const isSame = same(wanted, { id, ...(version !== undefined && { version }), ...own })
    return !isSame || keyid !== pepper || salt.length < 16 || hash.length < 32
  }

  return {
    hash: (typed) => gate(() => make(typed)),
    async isOutdated(stored) {
      const phc = importedFormatOf(stored) === undefined ? parsePhc(stored) : undefined
      return phc === undefined || isOutdated(phc)
    },
    waste: async (typed) => void (await gate(() => make(isHashable(typed) ? typed : ""))),
    async verify(typed, stored) {
      if (!isHashable(typed)) {
        await gate(() => make(""))
        return { isRight: false, isOutdated: false }
      }
      const foreign = importedFormatOf(stored)
      if (foreign !== undefined)
        return { isRight: await gate(() => foreign.check(typed, stored, options.bcrypt)), isOutdated: true }
      const phc = parsePhc(stored)
      if (phc === undefined || !known.has(phc.id)) throw new UnknownHash("A stored password has an unknown format")
      return { isRight: await gate(() => isRight(typed, phc)), isOutdated: await isOutdated(phc) }
    },
  }
}

/** The format of a hash that can be verified, here or on a runtime that has what it needs. `undefined`: it's unknown. */
export function formatOf(hash: string): string | undefined {
  const imported = importedFormatOf(hash)?.name
  if (imported !== undefined) return imported
  const id = parsePhc(hash)?.id
  return id !== undefined && known.has(id) ? id : undefined
}

const known: ReadonlySet<string> = new Set(["argon2d", "argon2i", "argon2id", "scrypt"])

function noArgon2(): UnknownHash {
  const fix = 'Use Node 24.7 or newer or Bun, or pass `argon2: () => import("@node-rs/argon2")`'
  return new UnknownHash(`The password has an argon2 hash, which this runtime can't compute. ${fix}`)
}

async function newScrypt(password: Uint8Array, salt: Uint8Array): Promise<Phc> {
  const hash = await scryptHash(password, salt, scryptDefaults, 32)
  return { id: "scrypt", version: undefined, params: numbers(scryptDefaults), salt, hash }
}

async function isRightScrypt(password: Uint8Array, phc: Phc): Promise<boolean> {
  const computed = await scryptHash(password, phc.salt, scryptParams(phc), phc.hash.length)
  return timingSafeEqual(computed, phc.hash)
}

function scryptParams(phc: Phc): ScryptParams {
  const [ln, r, p] = ["ln", "r", "p"].map((name) => integerIn(phc, name))
  if (ln === undefined || r === undefined || p === undefined) throw new UnknownHash("A scrypt hash lacks a parameter")
  return { ln, r, p }
}

function numbers(params: object): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]))
}

function same(one: object, other: object): boolean {
  const text = (value: object) =>
    JSON.stringify(
      Object.entries(value)
        .map(([name, each]) => `${name}=${String(each)}`)
        .toSorted(),
    )
  return text(one) === text(other)
}
