import { JWTSessionError } from "../errors.js"
import type { JWTOptions } from "../model/config.js"
import type { LiveSession, OpenedToken, SchemeContext } from "../model/session-strategy.js"
import type { JWT } from "../model/session.js"
import { type Awaitable, isPromise } from "../primitives/awaitable.js"

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
  /** `null`: forged, damaged or expired. `formerName`: the only cookie name that the token may be sealed for. */
  decode(token: string, formerName?: string): Awaitable<DecodedToken | null>
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

/**
 * A claim in tokens of a custom `encode`, which may ignore the salt. It tells them from tokens that were sealed for a former
 * cookie name.
 */
const cookieClaim = "cookie_name"

export function tokenCodec(options: TokenCodecOptions): TokenCodec {
  const { jwt, sealer, salts, maxAge } = options
  const [salt] = salts
  // A secret that was given as text stays text: libraries such as `jsonwebtoken` accept no list.
  const secret = typeof jwt.secret === "string" ? jwt.secret : [...options.secrets]
  const parameters = { ...jwt, secret, maxAge, salt }
  const { encode, decode } = jwt
  const mark = salts.length > 1 ? { [cookieClaim]: salt } : {}
  return {
    encode: async (claims) =>
      encode === undefined
        ? sealer.seal(salt, claims, maxAge)
        : encode({ ...parameters, token: { ...claims, ...mark } }),
    decode:
      decode === undefined
        ? (token, formerName) =>
            openAny(sealer, { salt, names: formerName === undefined ? salts : [formerName] }, token)
        : (token, formerName) => openOwn(decode, token, formerName),
  }

  async function openOwn(decodeOwn: Decode, token: string, formerName?: string): Promise<DecodedToken | null> {
    const opened = await decodeOwn({ ...parameters, salt: formerName ?? salt, token })
    if (opened === null || opened === undefined) return null
    const { [cookieClaim]: sealedFor, ...claims } = opened
    if (formerName === undefined) return { claims, text: JSON.stringify(claims), outdated: false }
    return sealedFor === undefined ? { claims, text: JSON.stringify(claims), outdated: true } : null
  }
}

interface Names {
  /** The current name. */
  readonly salt: string
  /** Those that the token may be sealed for. */
  readonly names: readonly string[]
}

/** At once where the platform decrypts at once: each turn of the event loop costs more than a part of the decryption. */
function openAny(
  sealer: SchemeContext["sealer"],
  given: Names,
  token: string,
  index = 0,
): Awaitable<DecodedToken | null> {
  const { salt, names } = given
  const name = names[index]
  if (name === undefined) return null
  const decoded = ({ payload, text, outdated }: OpenedToken): DecodedToken => ({
    claims: payload,
    text,
    outdated: outdated || name !== salt,
  })
  // The token may be sealed for the next name.
  const openNext = () => openAny(sealer, given, token, index + 1)
  try {
    const opened = sealer.open(name, token)
    return isPromise(opened) ? opened.then(decoded, openNext) : decoded(opened)
  } catch {
    return openNext()
  }
}

export function withClaims(live: LiveSession, claims: JWT): LiveSession {
  return { ...live, content: { ...sealedContent(live), claims } }
}

export function sealedContent({ content }: LiveSession): Extract<LiveSession["content"], { kind: "sealed" }> {
  if (content.kind !== "sealed") throw new JWTSessionError("A database session reached the jwt strategy")
  return content
}

export function sidOf(live: LiveSession): string | undefined {
  const { sid } = sealedContent(live).claims
  return typeof sid === "string" ? sid : undefined
}
