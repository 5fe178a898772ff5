import { createCipheriv, pbkdf2, scrypt, timingSafeEqual } from "node:crypto"

/** Computes whether a password is the one of a hash that another system made. The password is as it was typed. */
type Check = (typed: string, hash: string, bcrypt: BcryptLoader) => Promise<boolean>

/** The function of `bcryptjs` that is used. */
export interface BcryptLibrary {
  compare(password: string, hash: string): Promise<boolean>
}

export type BcryptLoader = (() => Promise<BcryptLibrary>) | undefined

/** Names of formats of other systems, and what their texts look like. */
const formats: readonly (readonly [string, RegExp, Check])[] = [
  ["bcrypt", /^\$2[abxy]\$(?:0[4-9]|1\d|20)\$[./A-Za-z0-9]{53}$/, isBcrypt],
  [
    "firebase",
    /^\$fbscrypt\$v=1,n=\d{1,2},r=\d{1,2},p=1(?:,ss=[A-Za-z0-9+/=]+)?,sk=[A-Za-z0-9+/=]+\$[^$]+\$[^$]+$/,
    isFirebase,
  ],
  ["s2", /^s2:[^:]{1,128}:[0-9a-f]{128}$/, isLucia],
  ["salt:key", /^[0-9a-f]{32}:[0-9a-f]{128}$/, isLucia],
  ["django", /^pbkdf2_sha(?:1|256)\$\d{1,7}\$[^$]{1,128}\$[A-Za-z0-9+/=]+$/, isDjango],
  ["aspnet", /^A[QR][A-Za-z0-9+/]{60,200}={0,2}$/, isAspNet],
]

/** `undefined`: the hash has none of these formats. */
export function importedFormatOf(hash: string): { readonly name: string; readonly check: Check } | undefined {
  const found = formats.find(([, pattern]) => pattern.test(hash))
  return found && { name: found[0], check: found[2] }
}

/**
 * The first 72 bytes count, as in the system that made the hash. After the first sign-in all of them do, because it's made anew.
 */
async function isBcrypt(typed: string, hash: string, load: BcryptLoader): Promise<boolean> {
  if (load === undefined) throw noBcrypt()
  // `2x` marks a bug with bytes above 127. For ASCII, it's the same as `2b`, as `2y` always is.
  const isAscii = /^[\0-\x7F]*$/.test(typed)
  if (hash.startsWith("$2x$") && !isAscii) return false
  return (await load()).compare(typed, `$2b$${hash.slice(4)}`)
}

export function noBcrypt(): TypeError {
  return new TypeError(
    'The password has a bcrypt hash. Pass `bcrypt: () => import("bcryptjs")` to `password`, and install bcryptjs',
  )
}

/** `$fbscrypt$v=1,n=<memory>,r=<rounds>,p=1,ss=<separator>,sk=<signer key>$<salt>$<hash>`, as Supabase writes Firebase's. */
async function isFirebase(typed: string, text: string): Promise<boolean> {
  const [, , params = "", salt = "", hash = ""] = text.split("$")
  const given = Object.fromEntries(
    params.split(",").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  )
  const whole = Buffer.concat([Buffer.from(salt, "base64"), Buffer.from(given["ss"] ?? "", "base64")])
  const key = await scryptKey(typed, whole, { N: 2 ** Number(given["n"]), r: Number(given["r"]), p: 1 }, 32)
  const cipher = createCipheriv("aes-256-ctr", key, Buffer.alloc(16))
  return equal(
    Buffer.concat([cipher.update(Buffer.from(given["sk"] ?? "", "base64")), cipher.final()]),
    Buffer.from(hash, "base64"),
  )
}

/** Lucia's `s2:<salt>:<key>`, and the `<salt>:<key>` of Lucia 3 and Better Auth. The salt is used as text. */
async function isLucia(typed: string, text: string): Promise<boolean> {
  const [salt = "", key = ""] = text.replace(/^s2:/, "").split(":")
  const computed = await scryptKey(typed.normalize("NFKC"), Buffer.from(salt), { N: 16_384, r: 16, p: 1 }, 64)
  return equal(computed, Buffer.from(key, "hex"))
}

/** `pbkdf2_sha256$<iterations>$<salt>$<key>` */
async function isDjango(typed: string, text: string): Promise<boolean> {
  const [name = "", iterations = "", salt = "", key = ""] = text.split("$")
  const digest = name.slice("pbkdf2_".length)
  return isPbkdf2(typed, {
    salt: Buffer.from(salt),
    iterations: Number(iterations),
    digest,
    key: Buffer.from(key, "base64"),
  })
}

/** By the number in the header. */
const digests = ["sha1", "sha256", "sha512"]

/** ASP.NET Core Identity, version 3: a byte, three big-endian numbers (function, iterations, length of the salt), salt and key. */
async function isAspNet(typed: string, text: string): Promise<boolean> {
  const bytes = Buffer.from(text, "base64")
  const digest = digests[bytes.readUInt32BE(1)]
  const length = bytes.readUInt32BE(9)
  const key = bytes.subarray(13 + length)
  if (bytes[0] !== 1 || digest === undefined || key.length < 16) return false
  return isPbkdf2(typed, { salt: bytes.subarray(13, 13 + length), iterations: bytes.readUInt32BE(5), digest, key })
}

interface Pbkdf2 {
  readonly salt: Uint8Array
  readonly iterations: number
  readonly digest: string
  readonly key: Uint8Array
}

/** A hash with more isn't computed. */
const maxIterations = 2_000_000

function isPbkdf2(typed: string, { salt, iterations, digest, key }: Pbkdf2): Promise<boolean> {
  if (iterations < 1 || iterations > maxIterations)
    return Promise.reject(new RangeError("The iterations of a hash are too many"))
  return new Promise((resolve, reject) => {
    pbkdf2(typed, salt, iterations, key.length, digest, (error, computed) => {
      if (error === null) resolve(equal(computed, key))
      else reject(error)
    })
  })
}

interface Cost {
  readonly N: number
  readonly r: number
  readonly p: number
}

function scryptKey(typed: string, salt: Uint8Array, cost: Cost, length: number): Promise<Buffer> {
  const maxmem = 256 * cost.N * cost.r
  return new Promise((resolve, reject) => {
    scrypt(typed, salt, length, { ...cost, maxmem }, (error, key) => (error === null ? resolve(key) : reject(error)))
  })
}

function equal(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
