import { createTokenSealer } from "./crypto/token-sealer.js"
import { MissingSecret } from "./errors.js"
import { parseCookies } from "./http/cookie.js"
import { maxBearerToken } from "./limits/of-input.js"
import type { JWTDecodeParams, JWTEncodeParams } from "./model/config.js"
import type { LoggerInstance } from "./model/logger.js"
import type { TokenSealer } from "./model/session-strategy.js"
import type { JWT } from "./model/session.js"
import { systemRuntime } from "./primitives/runtime.js"
import { createBoundedMap } from "./primitives/state.js"
import { readSessionCookie } from "./session/session-cookie.js"

export type { JWTDecodeParams, JWTEncodeParams, JWTOptions, TokenEncryption } from "./model/config.js"
export type { DefaultJWT, JWT } from "./model/session.js"

const thirtyDays = 2_592_000

/** Deriving keys is slow, so sealers are kept for this many sets of secrets. */
const sealers = createBoundedMap<string, TokenSealer>(64)

type Sealing = Pick<Parameters<typeof createTokenSealer>[0], "keyPerPurpose" | "encryption">

function sealerFor(secret: string | readonly string[], sealing: Sealing): TokenSealer {
  const secrets = [secret].flat().filter((each) => each !== "")
  if (secrets.length === 0) throw new MissingSecret(noSecret)
  const key = JSON.stringify([sealing, secrets])
  const known = sealers.get(key)
  if (known !== undefined) return known
  const sealer = createTokenSealer({ secrets, runtime: systemRuntime, ...sealing })
  sealers.set(key, sealer)
  return sealer
}

const noSecret = "No secret was passed. Pass the `secret` of the configuration (AUTH_SECRET)"

/**
 * Seals claims like those of a session cookie: compact JWE with `dir` and A256GCM, or the `encryption` that you pass
 * (RFC 7516, RFC 7518). Uses the first of several secrets.
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
  encryption,
}: JWTEncodeParams<Payload>): Promise<string> {
  return sealerFor(secret, { keyPerPurpose: false, encryption }).seal(salt, { ...token }, maxAge)
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
  const { payload } = await sealerFor(secret, { keyPerPurpose: true }).open(salt, token)
  // Only the application knows the shape of the claims that it sealed.
  return payload as Payload
}

export interface GetTokenParams<R extends boolean = false> {
  readonly req:
    | Request
    | { readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>> }
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
 * can't be opened. With `raw`, the type doesn't say so, as in Auth.js.
 *
 * @throws MissingSecret if no secret is passed
 */
export async function getToken<R extends boolean = false>(
  params: GetTokenParams<R>,
): Promise<R extends true ? string : JWT | null>
export async function getToken(params: GetTokenParams<boolean>): Promise<string | JWT | null> {
  if (!params.req) throw new Error("getToken was called without a request. Pass it as `req`")
  const found = findToken(params)
  if (found === undefined) return null
  if (params.raw === true) return found.token
  if (!params.secret) throw new MissingSecret(noSecret)
  for (const format of found.formats) {
    const claims = await opened(params, params.secret, found.token, format)
    if (claims !== null && claims !== undefined) return claims
  }
  return null
}

type Format = "own" | "version4"

interface FoundToken {
  readonly token: string
  /** The formats that the token may have, in the order to try. */
  readonly formats: readonly Format[]
}

function findToken(params: GetTokenParams<boolean>): FoundToken | undefined {
  const { req, cookieName } = params
  const either: readonly Format[] = readsVersion4(params) ? ["own", "version4"] : ["own"]
  const cookies = parseCookies(headerOf(req, "cookie"))
  const own = readSessionCookie(cookies, cookieName ?? defaultName(params, "authjs"))
  if (own !== undefined) return { token: own, formats: cookieName === undefined ? ["own"] : either }
  const isDefault = cookieName === undefined && readsVersion4(params)
  const former = isDefault ? readSessionCookie(cookies, defaultName(params, "next-auth")) : undefined
  if (former !== undefined) return { token: former, formats: ["version4"] }
  const token = bearer(headerOf(req, "authorization"))
  return token === undefined ? undefined : { token, formats: either }
}

function defaultName({ secureCookie }: GetTokenParams<boolean>, library: "authjs" | "next-auth"): string {
  return `${secureCookie === true ? "__Secure-" : ""}${library}.session-token`
}

function readsVersion4({ version4, cookieName }: GetTokenParams<boolean>): boolean {
  return version4 ?? (cookieName === undefined || cookieName.endsWith("next-auth.session-token"))
}

async function opened(
  params: GetTokenParams<boolean>,
  secret: string | readonly string[],
  token: string,
  format: Format,
): Promise<JWT | null> {
  const isOwn = format === "own"
  const salt = isOwn ? (params.salt ?? params.cookieName ?? defaultName(params, "authjs")) : ""
  try {
    return await (params.decode ?? (isOwn ? decode : decodeVersion4))({ token, secret, salt })
  } catch {
    return null
  }
}

async function decodeVersion4({ token = "", secret }: JWTDecodeParams): Promise<JWT | null> {
  const { namesUser, openVersion4 } = await import("./compat/version4-tokens.js")
  const opened = await openVersion4(token, { secrets: [secret].flat(), now: systemRuntime.now() })
  return opened !== null && namesUser(opened.claims) ? opened.claims : null
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
  if (header.length > maxBearerToken + "Bearer ".length) return undefined
  try {
    return decodeURIComponent(header.slice("Bearer ".length)) || undefined
  } catch {
    return undefined
  }
}
