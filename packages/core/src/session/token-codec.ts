import type { SchemeContext } from "../model/session-strategy.js"
import type { JWTOptions } from "../model/config.js"
import type { JWT } from "../model/session.js"

export interface DecodedToken {
  readonly claims: JWT
  /** The claims as JSON. A callback changed them if its result reads differently. */
  readonly text: string
  /** Sealed with an older secret, under a former cookie name or with a former key. */
  readonly outdated: boolean
}

/** Claims to session token and back. */
export interface TokenCodec {
  encode(claims: JWT): Promise<string>
  /** `null`: forged, damaged or expired. */
  decode(token: string): Promise<DecodedToken | null>
}

interface TokenCodecOptions {
  readonly jwt: JWTOptions
  readonly secrets: readonly string[]
  readonly sealer: SchemeContext["sealer"]
  /** Cookie names that a token may be sealed for; the first is the current one. */
  readonly salts: readonly [string, ...string[]]
  /** Seconds. */
  readonly maxAge: number
}

type Decode = NonNullable<JWTOptions["decode"]>

export function tokenCodec(options: TokenCodecOptions): TokenCodec {
  const { jwt, sealer, salts, maxAge } = options
  const parameters = { ...jwt, secret: [...options.secrets], maxAge, salt: salts[0] }
  const { encode, decode } = jwt
  return {
    encode: async (claims) =>
      encode === undefined ? sealer.seal(salts[0], claims, maxAge) : encode({ ...parameters, token: claims }),
    decode: decode === undefined ? (token) => openAny(sealer, salts, token) : (token) => openOwn(decode, token),
  }

  async function openOwn(decodeOwn: Decode, token: string): Promise<DecodedToken | null> {
    const claims = await decodeOwn({ ...parameters, token })
    return claims === null || claims === undefined ? null : { claims, text: JSON.stringify(claims), outdated: false }
  }
}

async function openAny(
  sealer: SchemeContext["sealer"],
  salts: readonly string[],
  token: string,
): Promise<DecodedToken | null> {
  for (const salt of salts) {
    try {
      const { payload, text, outdated } = await sealer.open(salt, token)
      return { claims: payload, text, outdated: outdated || salt !== salts[0] }
    } catch {
      // The token may be sealed for the next name.
    }
  }
  return null
}
