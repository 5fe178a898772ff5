import type { LoggerInstance } from "./model/logger.js"
import type { TokenSealer } from "./model/session-strategy.js"
import { createTokenSealer } from "./crypto/token-sealer.js"
import { MissingSecret } from "./errors.js"
import { parseCookies } from "./http/cookie.js"
import type { JWTDecodeParams, JWTEncodeParams } from "./model/config.js"
import type { JWT } from "./model/session.js"
import { systemRuntime } from "./primitives/runtime.js"
import { readSessionCookie } from "./session/session-cookie.js"

export type { JWTDecodeParams, JWTEncodeParams, JWTOptions } from "./model/config.js"
export type { DefaultJWT, JWT } from "./model/session.js"

const thirtyDays = 2_592_000

/** Derived keys are dear: they are kept for as many secrets as an application may reasonably have. */
const mostVaults = 64
const vaults = new Map<string, TokenSealer>()

function vaultFor(secret: string | readonly string[], keyPerPurpose = false): TokenSealer {
  const secrets = [secret].flat().filter((each) => each !== "")
  if (secrets.length === 0)
    throw new MissingSecret("No secret was given: pass the `secret` of the configuration (AUTH_SECRET)")
  const key = JSON.stringify([keyPerPurpose, secrets])
  const known = vaults.get(key)
  if (known !== undefined) return known
  const sealer = createTokenSealer({ secrets, runtime: systemRuntime, keyPerPurpose })
  if (vaults.size >= mostVaults) vaults.clear()
  vaults.set(key, sealer)
  return sealer
}

/**
 * Seals claims as a session cookie does: compact JWE, `dir`, A256GCM (spec/jwt.md). The first of several secrets is used.
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
  return vaultFor(secret).seal(salt, { ...token }, maxAge)
}

/**
 * Opens what `encode`, or the compatibility target, sealed with any of the secrets.
 *
 * @returns the claims; `null` when there is no token
 * @throws Error when the token was sealed for something else, was changed, or expired more than 15 s ago
 */
export async function decode<Payload = JWT>({ token, secret, salt }: JWTDecodeParams): Promise<Payload | null> {
  if (!token) return null
  // Opens both derivations: which one the configuration uses is not known here.
  const { payload } = await vaultFor(secret, true).open(salt, token)
  // The claims are what the application sealed: only it knows their shape.
  return payload as Payload
}

export interface GetTokenParams<R extends boolean = false> {
  readonly req: Request | { readonly headers: Headers | Readonly<Record<string, string>> }
  readonly secret?: string | readonly string[] | undefined
  /** @default the cookie's name */
  readonly salt?: string | undefined
  /** Whether the site is served over https, which gives the cookie another name. @default false */
  readonly secureCookie?: boolean | undefined
  readonly cookieName?: string | undefined
  /** The token as it is, not opened. */
  readonly raw?: R | undefined
  readonly decode?: ((params: JWTDecodeParams) => Promise<JWT | null>) | undefined
  readonly logger?: Partial<LoggerInstance> | undefined
}

/**
 * The claims of the visitor's session cookie, or of an `Authorization: Bearer` header. `null` when there are none or
 * they cannot be opened.
 *
 * @throws MissingSecret
 */
export async function getToken<R extends boolean = false>(
  params: GetTokenParams<R>,
): Promise<R extends true ? string | null : JWT | null>
export async function getToken(params: GetTokenParams<boolean>): Promise<string | JWT | null> {
  const { req, secret } = params
  if (!req) throw new Error("getToken was called without a request: pass it as `req`")
  const cookieName = params.cookieName ?? `${params.secureCookie === true ? "__Secure-" : ""}authjs.session-token`
  const token = tokenOf(req, cookieName)
  if (token === undefined) return null
  if (params.raw === true) return token
  if (!secret) throw new MissingSecret("No secret was given: pass the `secret` of the configuration (AUTH_SECRET)")
  try {
    return await (params.decode ?? decode)({ token, secret, salt: params.salt ?? cookieName })
  } catch {
    return null
  }
}

function tokenOf(req: GetTokenParams["req"], cookieName: string): string | undefined {
  return readSessionCookie(parseCookies(headerOf(req, "cookie")), cookieName) ?? bearer(headerOf(req, "authorization"))
}

/** Only what is asked for is read: a record may hold names and values that `Headers` refuses (HTTP/2's `:path`). */
function headerOf({ headers }: GetTokenParams["req"], name: string): string | null {
  if (isHeaders(headers)) return headers.get(name)
  const value: unknown = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof value === "string" ? value : null
}

/** Not only those of this realm: frameworks bring their own. */
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
