import { platform } from "#crypto"
import type { ContentKey } from "../crypto/platform.js"
import { openClaims, splitToken, tokenHeader } from "../crypto/token-sealer.js"
import type { JWTOptions } from "../model/config.js"
import type { JWT } from "../model/session.js"
import type { Awaitable } from "../model/user.js"
import type { Runtime } from "../primitives/runtime.js"
import { createBoundedMap } from "../primitives/state.js"

interface OpenedVersion4 {
  readonly claims: JWT
  /** The claims as JSON. */
  readonly text: string
}

interface OpenOptions {
  /** The name of the cookie. Session cookies have none. */
  readonly salt?: string
  /** Version 4 knew one secret. Each of several is tried. */
  readonly secrets: readonly (string | Uint8Array<ArrayBuffer>)[]
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * Whether the claims name a user, as those of a session do, also with a `jwt` callback that returns claims of its own. Before 4.24.5,
 * version 4 sealed PKCE verifiers and `state` with the key of sessions (CVE-2023-48309).
 */
export function namesUser(claims: JWT): boolean {
  return identifying.some((name) => {
    const value = claims[name]
    return value !== undefined && value !== null && value !== ""
  })
}

const identifying = ["sub", "id", "userId", "uid", "email", "name", "picture", "user"]

/** Opens a token of next-auth 4. `null`: forged, damaged or expired. */
export async function openVersion4(token: string, options: OpenOptions): Promise<OpenedVersion4 | null> {
  const { salt = "", secrets, now } = options
  for (const secret of secrets) {
    try {
      const parts = splitToken(token)
      const { enc, kid } = tokenHeader(parts.header)
      // Version 4 writes no `kid`, and its key is too short for A256CBC-HS512.
      if (enc !== "A256GCM" || kid !== undefined) return null
      const text = await platform.openGcm(await keyOf(secret, salt), parts)
      return { claims: openClaims(text, now), text }
    } catch {
      // The token may be sealed with the next secret.
    }
  }
  return null
}

/** Deriving keys is slow, so they are kept for this many pairs of secret and salt. */
const keys = createBoundedMap<string, Awaitable<ContentKey>>(64)

function keyOf(secret: string | Uint8Array<ArrayBuffer>, salt: string): Awaitable<ContentKey> {
  // Anyone can derive the key of an empty secret. Version 4 refuses it, too.
  if (secret.length === 0) throw new Error("no secret is set")
  const name = JSON.stringify([secret, salt])
  const purpose = salt === "" ? "" : ` (${salt})`
  const key = keys.get(name) ?? platform.hkdf(secret, salt, `NextAuth.js Generated Encryption Key${purpose}`, 32)
  keys.set(name, key)
  return key
}

interface Version4TokensOptions {
  readonly jwt: Pick<JWTOptions, "encode" | "decode" | "maxAge">
  /** Newest first. Each opens. The oldest seals, because version 4 knows only the one from before a rotation. */
  readonly secrets: readonly string[]
  /** Seconds. */
  readonly maxAge: number
  readonly runtime: Pick<Runtime, "now" | "uuid" | "random">
}

/** Session tokens in the format of next-auth 4. Only loaded for a browser that has one. */
export interface Version4Tokens {
  encode(claims: JWT): Promise<string>
  /** `null`: forged, damaged, expired, or not a session. */
  decode(token: string): Promise<OpenedVersion4 | null>
}

export function version4Tokens({ jwt, secrets, maxAge, runtime }: Version4TokensOptions): Version4Tokens {
  const { encode, decode } = jwt
  return {
    async encode(claims) {
      const secret = secrets.at(-1)
      if (secret === undefined) throw new Error("no secret is set")
      // Version 4 passes no salt, and its types say that the salt is then empty.
      if (encode !== undefined) return encode({ ...jwt, secret, maxAge, salt: "", token: claims })
      return sealVersion4(claims, { secret, salt: "", maxAge, runtime })
    },

    async decode(token) {
      const opened = await open(token)
      return opened !== null && namesUser(opened.claims) ? opened : null
    },
  }

  async function open(token: string): Promise<OpenedVersion4 | null> {
    if (decode === undefined) return openVersion4(token, { secrets, now: runtime.now() })
    for (const secret of secrets) {
      const claims = await decode({ maxAge: month, ...jwt, secret, salt: "", token })
      if (claims !== null && claims !== undefined) return { claims, text: JSON.stringify(claims) }
    }
    return null
  }
}

export interface SealOptions extends Pick<Version4TokensOptions, "maxAge" | "runtime"> {
  readonly secret: string | Uint8Array<ArrayBuffer>
  /** The name of the cookie. Session cookies have none. */
  readonly salt: string
}

/** Seals claims as next-auth 4 does. */
export async function sealVersion4(claims: JWT, { secret, salt, maxAge, runtime }: SealOptions): Promise<string> {
  const iat = Math.floor(runtime.now() / 1000)
  const text = JSON.stringify({ ...claims, iat, exp: iat + maxAge, jti: runtime.uuid() })
  return platform.sealGcm(await keyOf(secret, salt), { header, iv: runtime.random(12), text })
}

const month = 2_592_000

/** `{"alg":"dir","enc":"A256GCM"}` */
const header = "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0"
