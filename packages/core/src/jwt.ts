import { createTokenSealer } from "./crypto/token-sealer.js"
import { MissingSecret } from "./errors.js"
import { parseCookies } from "./http/cookie.js"
import type { JWTDecodeParams, JWTEncodeParams } from "./model/config.js"
import type { LoggerInstance } from "./model/logger.js"
import type { JWT } from "./model/session.js"
import type { TokenSealer } from "./model/session-strategy.js"
import { createBoundedMap } from "./primitives/bounded-map.js"
import { systemRuntime } from "./primitives/runtime.js"
import { readSessionCookie } from "./session/session-cookie.js"

export type { JWTDecodeParams, JWTEncodeParams, JWTOptions } from "./model/config.js"
export type { DefaultJWT, JWT } from "./model/session.js"

const thirtyDays = 2_592_000

/** Deriving keys is slow, so sealers are kept for this many sets of secrets. */
const sealers = createBoundedMap<string, TokenSealer>(64)

function sealerFor(secret: string | readonly string[], keyPerPurpose = false): TokenSealer {
  const secrets = [secret].flat().filter((each) => each !== "")
  if (secrets.length === 0) throw new MissingSecret(noSecret)
  const key = JSON.stringify([keyPerPurpose, secrets])
  const known = sealers.get(key)
  if (known !== undefined) return known
  const sealer = createTokenSealer({ secrets, runtime: systemRuntime, keyPerPurpose })
  sealers.set(key, sealer)
  return sealer
}

const noSecret = "No secret was passed. Pass the `secret` of the configuration (AUTH_SECRET)"

/**
 * Seals claims like those of a session cookie: compact JWE with `dir` and A256GCM (RFC 7516, RFC 7518). Uses the first of
 * several secrets.
 *
 * @example
 * ```ts
 * import { decode, encode } from "@latchkey/core/jwt"
 * const keys = { secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fG", salt: "authjs.session-token" }
 * const token = await encode({ token: { sub: "ada" }, ...keys, maxAge: 60 })
 * const claims = await decode({ token, ...keys })
 * ```
 */
export async function encode<Payload = JWT>({
  token,
  secret,
  maxAge = thirtyDays,
  salt,
}: JWTEncodeParams<Payload>): Promise<string> {
  return sealerFor(secret).seal(salt, { ...token }, maxAge)
}

/**
 * Opens a token that `encode` or Auth.js sealed with one of the secrets.
 *
 * @returns the claims, or `null` without a token
 * @throws Error if the token was sealed with another secret or salt, was changed, or expired more than 15 seconds ago
 */
export async function decode<Payload = JWT>({ token, secret, salt }: JWTDecodeParams): Promise<Payload | null> {
  if (!token) return null
  // `true` opens tokens of both key derivations. This function doesn't know which one the configuration uses.
  const { payload } = await sealerFor(secret, true).open(salt, token)
  // Only the application knows the shape of the claims that it sealed.
  return payload as Payload
}

export interface GetTokenParams<R extends boolean = false> {
  readonly req: Request | { readonly headers: Headers | Readonly<Record<string, string>> }
  readonly secret?: string | readonly string[] | undefined
  /** @default `cookieName` */
  readonly salt?: string | undefined
  /**
   * Adds the prefix `__Secure-` to the default of `cookieName`. Set it if the site is served over https.
   * @default false
   */
  readonly secureCookie?: boolean | undefined
  /** @default "authjs.session-token" */
  readonly cookieName?: string | undefined
  /** Returns the token without opening it. @default false */
  readonly raw?: R | undefined
  readonly decode?: ((params: JWTDecodeParams) => Promise<JWT | null>) | undefined
  /**
   * Also reads a session of next-auth 4: under its cookie name if `cookieName` isn't set, or else in its format.
   * @default true if `cookieName` isn't set, or is the name in version 4
   */
  readonly version4?: boolean | undefined
  readonly logger?: Partial<LoggerInstance> | undefined
}

/**
 * Returns the claims of the session cookie, or of an `Authorization: Bearer` header. `null` if there is no token, or it
 * can't be opened.
 *
 * @throws MissingSecret if no secret is passed
 */
export async function getToken<R extends boolean = false>(
  params: GetTokenParams<R>,
): Promise<R extends true ? string | null : JWT | null>
export async function getToken(params: GetTokenParams<boolean>): Promise<string | JWT | null> {
  const { req, secret } = params
  if (!req) throw new Error("getToken was called without a request. Pass it as `req`")
  const found = findToken(params)
  if (found === undefined) return null
  if (params.raw === true) return found.token
  if (!secret) throw new MissingSecret(noSecret)
  for (const salt of found.salts) {
    try {
      const claims = await (params.decode ?? (salt === "" ? decodeVersion4 : decode))({ token: found.token, secret, salt })
      if (claims !== null && claims !== undefined) return claims
    } catch {
      // The token may have the other format.
    }
  }
  return null
}

interface FoundToken {
  readonly token: string
  /** What to open it with, in this order. Version 4 has an empty one. */
  readonly salts: readonly string[]
}

function findToken(params: GetTokenParams<boolean>): FoundToken | undefined {
  const { req, cookieName } = params
  const prefix = params.secureCookie === true ? "__Secure-" : ""
  const name = cookieName ?? `${prefix}authjs.session-token`
  const salt = params.salt ?? name
  const version4 = params.version4 ?? (cookieName === undefined || cookieName.endsWith("next-auth.session-token"))
  const either = version4 ? [salt, ""] : [salt]
  const cookies = parseCookies(headerOf(req, "cookie"))
  const own = readSessionCookie(cookies, name)
  if (own !== undefined) return { token: own, salts: cookieName === undefined ? [salt] : either }
  const former = version4 ? readSessionCookie(cookies, `${prefix}next-auth.session-token`) : undefined
  if (former !== undefined && cookieName === undefined) return { token: former, salts: [""] }
  const token = bearer(headerOf(req, "authorization"))
  return token === undefined ? undefined : { token, salts: either }
}

async function decodeVersion4({ token = "", secret }: JWTDecodeParams): Promise<JWT | null> {
  const { version4Tokens } = await import("./session/version4-tokens.js")
  const secrets = [secret].flat()
  const opened = await version4Tokens({ jwt: {}, secrets, maxAge: thirtyDays, runtime: systemRuntime }).decode(token)
  return opened?.claims ?? null
}

/** Reads a record directly, because it may contain names that `Headers` refuses, such as `:path` of HTTP/2. */
function headerOf({ headers }: GetTokenParams["req"], name: string): string | null {
  if (isHeaders(headers)) return headers.get(name)
  const value: unknown = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof value === "string" ? value : null
}

/** Not `instanceof`, because frameworks have their own `Headers` classes. */
function isHeaders(headers: GetTokenParams["req"]["headers"]): headers is Headers {
  return typeof headers.get === "function"
}

function bearer(header: string | null): string | undefined {
  if (header === null || !header.startsWith("Bearer ")) return undefined
  try {
    return decodeURIComponent(header.slice("Bearer ".length)) || undefined
  } catch {
    return undefined
  }
}
