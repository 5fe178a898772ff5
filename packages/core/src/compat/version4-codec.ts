import type { JWTOptions } from "../model/config.js"
import type { JWT } from "../model/session.js"
import type { Version4 } from "../model/version4.js"
import { loadOnce } from "../primitives/awaitable.js"
import type { Runtime } from "../primitives/runtime.js"
import { assumedSignInTime } from "../session/live-session.js"
import type { DecodedToken, TokenCodec } from "../session/token-codec.js"

interface Version4CodecOptions {
  readonly version4: Version4 | undefined
  readonly jwt: JWTOptions
  readonly secrets: readonly string[]
  readonly runtime: Pick<Runtime, "now" | "uuid" | "random">
  /** Seconds. */
  readonly maxAge: number
  readonly keepsAuthTime: boolean
}

interface AdoptingCodec extends TokenCodec {
  /** Opens a token of next-auth 4. `null`: forged, damaged, expired, or such sessions aren't accepted anymore. */
  adopt(token: string): Promise<DecodedToken | null>
  /** Whether next-auth 4 made the token with one of the secrets, even if it has expired. */
  isVersion4(token: string): Promise<boolean>
}

/** Own tokens and those of next-auth 4. The code for the latter loads when a browser sends one. */
export function version4Codec(own: TokenCodec, options: Version4CodecOptions): AdoptingCodec {
  const { version4, runtime } = options
  const tokens = loadOnce(async () => (await import("./version4-tokens.js")).version4Tokens(options))
  const adopt = async (token: string): Promise<DecodedToken | null> => {
    if (version4 === undefined || !(runtime.now() < version4.until)) return null
    const opened = await (await tokens()).decode(token)
    return opened === null ? null : { ...opened, claims: withSignInTime(opened.claims, options), outdated: true }
  }
  const isVersion4 = async (token: string): Promise<boolean> => {
    if (version4 === undefined) return false
    const { openVersion4 } = await import("./version4-tokens.js")
    return (await openVersion4(token, { secrets: options.secrets, now: 0 })) !== null
  }
  if (version4 === undefined) return { ...own, adopt, isVersion4 }
  if (!version4.isShared)
    return { ...own, adopt, isVersion4, ...(version4.sharesName && { decode: firstOf(own.decode, adopt) }) }

  const decodeShared = async (token: string): Promise<DecodedToken | null> => {
    const opened = await (await tokens()).decode(token)
    return opened === null ? null : { ...opened, outdated: false }
  }
  const decodeOwn = async (token: string): Promise<DecodedToken | null> => {
    const opened = await own.decode(token)
    return opened === null ? null : { ...opened, outdated: true }
  }
  return {
    encode: async (claims) => (await tokens()).encode(claims),
    decode: firstOf(decodeShared, decodeOwn),
    adopt,
    isVersion4,
  }
}

type Decode = TokenCodec["decode"]

/** A custom `decode` may throw for the format of the other version. */
function firstOf(first: Decode, second: Decode): Decode {
  return async (token, formerName) => {
    let problem: unknown
    try {
      const opened = await first(token, formerName)
      if (opened !== null) return opened
    } catch (cause) {
      problem = cause
    }
    const other = await second(token, formerName)
    if (other === null && problem !== undefined) throw problem
    return other
  }
}

/**
 * The user signed in before the token was issued. The absolute end counts from there, so that the cookie of version 4
 * doesn't start a longer session after the own one has ended.
 */
function withSignInTime(claims: JWT, { keepsAuthTime, runtime }: Version4CodecOptions): JWT {
  if (!keepsAuthTime) return claims
  const { auth_time: known, iat } = claims
  const assumed = typeof known === "number" ? {} : { auth_time_assumed: true }
  const times = [known, iat, assumedSignInTime(runtime.now()) / 1000].filter((time) => typeof time === "number")
  return { ...claims, ...assumed, auth_time: Math.floor(Math.min(...times)) }
}
