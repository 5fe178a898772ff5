import { platform } from "#crypto"
import type { TokenEncryption } from "../model/config.js"
import type { OpenedToken, TokenPayload, TokenSealer } from "../model/session-strategy.js"
import { andThen, type Awaitable, isPromise } from "../primitives/awaitable.js"
import { type Runtime, uuidFrom } from "../primitives/runtime.js"
import type { ContentKey, SealedParts } from "./platform.js"

interface TokenSealerOptions {
  /** Newest first. */
  readonly secrets: readonly string[]
  readonly runtime: Pick<Runtime, "now" | "random">
  /** Seals with a key of its own per purpose. Tokens of the key derivation of Auth.js are still opened. */
  readonly keyPerPurpose: boolean
  /**
   * `"A256CBC-HS512"`: seals with the key of Auth.js, also with `keyPerPurpose`, because other services open these tokens.
   * @default "A256GCM"
   */
  readonly encryption?: TokenEncryption | undefined
  /** Derived keys by purpose. Configurations of one site share them. @default none yet */
  readonly keyrings?: Keyrings
}

export interface Keyrings {
  get(purpose: string): Awaitable<readonly NamedKey[]> | undefined
  set(purpose: string, keyring: Awaitable<readonly NamedKey[]>): unknown
}

/** A key, with the protected header of every token that it seals. */
interface NamedKey {
  readonly enc: TokenEncryption
  readonly kid: string
  readonly header: string
  readonly key: ContentKey
  readonly outdated: boolean
  /** Derived from the newest secret. */
  readonly newest: boolean
}

/** Clock difference between servers that is tolerated. Seconds. */
export const clockTolerance = 15

/** Characters. No browser stores that much in cookies. */
const maxTokenLength = 262_144

export const noSecretOpens = "no matching decryption secret"
export const tokenExpired = "the token has expired"

/** Keys are derived once per secret and purpose. */
export function createTokenSealer({
  secrets,
  runtime,
  keyPerPurpose,
  encryption,
  keyrings = new Map(),
}: TokenSealerOptions): TokenSealer {
  function keyringFor(purpose: string): Awaitable<readonly NamedKey[]> {
    const known = keyrings.get(purpose)
    if (known !== undefined) return known
    const keyring = deriveKeys(secrets, purpose, { keyPerPurpose, encryption })
    keyrings.set(purpose, keyring)
    return keyring
  }

  return {
    seal(purpose, payload, maxAge) {
      const iat = Math.floor(runtime.now() / 1000)
      return andThen(keyringFor(purpose), (keyring) => {
        const newest = keyring[0]
        if (newest === undefined) throw new Error("a token sealer needs a secret")
        const isGcm = newest.enc === "A256GCM"
        // Drawn for this token alone, in one call, because each takes as long as an encryption. A pool would be unsafe: processes that are
        // resumed from one snapshot share what is left of it, and two tokens with one nonce reveal the key that authenticates all
        // (NIST SP 800-38D, appendix A).
        const random = runtime.random(isGcm ? 28 : 32)
        const jti = uuidFrom(random.subarray(0, 16))
        const plain = {
          header: newest.header,
          iv: random.subarray(16),
          text: JSON.stringify({ ...payload, iat, exp: iat + maxAge, jti }),
        }
        return isGcm ? platform.sealGcm(newest.key, plain) : platform.sealCbc(newest.key, plain)
      })
    },

    open(purpose, token) {
      const parts = splitToken(token)
      return andThen(keyringFor(purpose), (keyring) =>
        andThen(decrypt(keyring, parts), (found) => read(found, runtime.now())),
      )
    },
  }
}

type Choice = Pick<TokenSealerOptions, "keyPerPurpose" | "encryption">

/** The first key seals. */
function deriveKeys(secrets: readonly string[], purpose: string, choice: Choice): Awaitable<readonly NamedKey[]> {
  const kinds = kindsOf(purpose, choice)
  const isOnlyOne = choice.keyPerPurpose || kinds[0]?.enc === "A256CBC-HS512"
  const keys = secrets.flatMap((secret, age) =>
    kinds.map((kind, rank) => {
      const newest = age === 0
      return nameKey({ ...kind, secret, salt: purpose, newest, outdated: !newest || (isOnlyOne && rank > 0) })
    }),
  )
  return keys.some(isPromise) ? Promise.all(keys.map((key) => Promise.resolve(key))) : (keys as NamedKey[])
}

/** The keys of each secret. The first one seals. */
function kindsOf(purpose: string, { keyPerPurpose, encryption }: Choice): readonly Pick<Derivation, "enc" | "info">[] {
  const info = `Auth.js Generated Encryption Key (${purpose})`
  const cbc = { enc: "A256CBC-HS512", info } as const
  const own = { enc: "A256GCM", info: `Latchkey v1 A256GCM (${purpose})` } as const
  const gcm = [...(keyPerPurpose ? [own] : []), { enc: "A256GCM", info } as const]
  return encryption === "A256CBC-HS512" ? [cbc, ...gcm] : [...gcm, cbc]
}

interface Derivation extends Pick<NamedKey, "enc" | "outdated" | "newest"> {
  readonly secret: string
  readonly salt: string
  readonly info: string
}

function nameKey({ secret, salt, info, enc, outdated, newest }: Derivation): Awaitable<NamedKey> {
  const wide = enc === "A256CBC-HS512"
  return andThen(platform.hkdf(secret, salt, info, wide ? 64 : 32), (key) => {
    // RFC 7638 thumbprint: the digest of the key's members in alphabetical order.
    const members = `{"k":"${platform.toBase64Url(key.bytes)}","kty":"oct"}`
    return andThen(platform.digest(wide ? "SHA-512" : "SHA-256", members), (kid) => {
      const header = platform.toBase64Url(new TextEncoder().encode(JSON.stringify({ alg: "dir", enc, kid })))
      return { enc, kid, header, key, outdated, newest }
    })
  })
}

const compactToken = /^([\w-]+)\.\.([\w-]+)\.([\w-]*)\.([\w-]+)$/

export function splitToken(token: string): SealedParts {
  const match: string[] | null = token.length > maxTokenLength ? null : compactToken.exec(token)
  if (match === null) throw new Error("not a compact JWE with a directly used key")
  // A match has all four groups.
  const [, header, iv, ciphertext, tag] = match as [string, string, string, string, string]
  if (!isCanonical(iv) || !isCanonical(ciphertext) || !isCanonical(tag)) throw new Error("the token was changed")
  return { header, iv, ciphertext, tag }
}

/** Unused bits at the end must be zero. Otherwise one token would have several spellings (RFC 4648 §3.5). */
function isCanonical(text: string): boolean {
  const rest = text.length % 4
  if (rest === 0) return true
  return rest !== 1 && (rest === 2 ? "AQgw" : "AEIMQUYcgkosw048").includes(text.slice(-1))
}

interface Found {
  readonly text: string
  readonly outdated: boolean
}

function decrypt(keyring: readonly NamedKey[], parts: SealedParts): Awaitable<Found> {
  const named = keyring.find(({ header }) => header === parts.header)
  if (named !== undefined) return openWith(named, parts)
  const { enc, kid } = tokenHeader(parts.header)
  // A token without `kid` is only tried with the newest secret, as in Auth.js.
  const candidates = keyring.filter((key) => key.enc === enc && (kid === undefined ? key.newest : key.kid === kid))
  return openWithAny(candidates, parts)
}

function openWith({ enc, key, outdated }: NamedKey, parts: SealedParts): Awaitable<Found> {
  const text = enc === "A256GCM" ? platform.openGcm(key, parts) : platform.openCbc(key, parts)
  return andThen(text, (text) => ({ text, outdated }))
}

async function openWithAny(candidates: readonly NamedKey[], parts: SealedParts): Promise<Found> {
  for (const candidate of candidates) {
    try {
      return await openWith(candidate, parts)
    } catch {
      // Without `kid` the token may be sealed with the next key.
    }
  }
  throw new Error(noSecretOpens)
}

/** @throws Error unless the header names the algorithms of a session token */
export function tokenHeader(encoded: string): { readonly enc: string; readonly kid: unknown } {
  const header: unknown = JSON.parse(atob(encoded.replaceAll("-", "+").replaceAll("_", "/")))
  if (!isPayload(header)) throw new Error("the protected header is not an object")
  const { alg, enc, kid, crit, zip } = header
  // No extensions are supported (`crit`, RFC 7516 §4.1.13), and `zip` allows decompression bombs (§4.1.3).
  if (alg !== "dir" || crit !== undefined || zip !== undefined) throw new Error("the algorithm is not allowed")
  if (enc !== "A256GCM" && enc !== "A256CBC-HS512") throw new Error("the algorithm is not allowed")
  return { enc, kid }
}

function read({ text, outdated }: Found, now: number): OpenedToken {
  return { payload: openClaims(text, now), text, outdated }
}

/**
 * The claims of a token that is valid now. `now` is in milliseconds since 1970.
 *
 * @throws Error if it has expired, or isn't valid yet
 */
export function openClaims(text: string, now: number): TokenPayload {
  const payload: unknown = JSON.parse(text)
  if (!isPayload(payload)) throw new Error("the sealed content is not an object")
  const seconds = Math.floor(now / 1000)
  if (!isFuture(payload["exp"], seconds - clockTolerance)) throw new Error(tokenExpired)
  const { iat, nbf } = payload
  // A time must be a number (NumericDate, RFC 7519 §2). Another type must not count as "long ago".
  if ((iat !== undefined && typeof iat !== "number") || (nbf !== undefined && typeof nbf !== "number")) {
    throw new Error("the token has a time that is not a number")
  }
  if (isFuture(nbf, seconds + clockTolerance)) throw new Error("the token is not valid yet")
  return payload
}

function isFuture(instant: unknown, now: number): boolean {
  return typeof instant === "number" && instant > now
}

function isPayload(value: unknown): value is TokenPayload {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
