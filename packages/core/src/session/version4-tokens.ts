import { platform } from "#crypto"
import type { ContentKey } from "../crypto/platform.js"
import { openClaims, splitToken, tokenHeader } from "../crypto/token-sealer.js"
import type { JWTOptions } from "../model/config.js"
import type { JWT } from "../model/session.js"
import type { Awaitable } from "../model/user.js"
import type { Runtime } from "../primitives/runtime.js"

interface OpenedVersion4 {
  readonly claims: JWT
  /** The claims as JSON. */
  readonly text: string
}

interface Version4TokensOptions {
  readonly jwt: Pick<JWTOptions, "encode" | "decode" | "maxAge">
  /** Newest first. Each opens. The oldest seals, because version 4 knows only the one from before a rotation. */
  readonly secrets: readonly string[]
  /** Seconds. */
  readonly maxAge: number
  readonly runtime: Pick<Runtime, "now" | "uuid">
}

/** Session tokens in the format of next-auth 4. Only loaded for a browser that has one. */
export interface Version4Tokens {
  encode(claims: JWT): Promise<string>
  /** `null`: forged, damaged or expired. */
  decode(token: string): Promise<OpenedVersion4 | null>
}

const month = 2_592_000

export function version4Tokens({ jwt, secrets, maxAge, runtime }: Version4TokensOptions): Version4Tokens {
  const keys = new Map<string, Awaitable<ContentKey>>()
  const keyOf = (secret: string): Awaitable<ContentKey> => {
    const key = keys.get(secret) ?? platform.hkdf(secret, "", "NextAuth.js Generated Encryption Key", 32)
    keys.set(secret, key)
    return key
  }
  const sealing = (): string => {
    const secret = secrets.at(-1)
    if (secret === undefined) throw new Error("no secret is set")
    return secret
  }

  return {
    async encode(claims) {
      const secret = sealing()
      // Version 4 passes no salt, and its types say that the salt is then empty.
      if (jwt.encode !== undefined) return jwt.encode({ ...jwt, secret, maxAge, salt: "", token: claims })
      const iat = Math.floor(runtime.now() / 1000)
      const text = JSON.stringify({ ...claims, iat, exp: iat + maxAge, jti: runtime.uuid() })
      return platform.sealGcm(await keyOf(secret), header, text)
    },

    async decode(token) {
      for (const secret of secrets) {
        const opened = await (jwt.decode === undefined ? open(token, secret) : openOwn(token, secret))
        if (opened !== null) return opened
      }
      return null
    },
  }

  async function open(token: string, secret: string): Promise<OpenedVersion4 | null> {
    try {
      const parts = splitToken(token)
      const { enc, kid } = tokenHeader(parts.header)
      // Version 4 writes no `kid`, and its key is too short for A256CBC-HS512.
      if (enc !== "A256GCM" || kid !== undefined) return null
      const text = await platform.openGcm(await keyOf(secret), parts)
      return { claims: openClaims(text, runtime.now()), text }
    } catch {
      return null
    }
  }

  async function openOwn(token: string, secret: string): Promise<OpenedVersion4 | null> {
    const claims = await jwt.decode?.({ maxAge: month, ...jwt, secret, salt: "", token })
    return claims === null || claims === undefined ? null : { claims, text: JSON.stringify(claims) }
  }
}

/** `{"alg":"dir","enc":"A256GCM"}` */
const header = "eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0"
