// Verifies access tokens where they are used: in any runtime with fetch and Web Crypto, without the rest of Latchkey.

/** The claims of an access token (RFC 9068 §2.2). */
export interface AccessToken {
  readonly iss: string
  /** The id of the user. */
  readonly sub: string
  readonly aud: string | readonly string[]
  readonly client_id: string
  readonly iat: number
  readonly exp: number
  readonly jti: string
  /** What the token allows, separated by spaces. */
  readonly scope?: string
  /** When the user signed in. Seconds since 1970. */
  readonly auth_time?: number
  /** How the user signed in (RFC 8176). */
  readonly amr?: readonly string[]
  readonly acr?: string
  readonly [claim: string]: unknown
}

/** A key (RFC 7517). */
export interface Jwk {
  readonly kty?: string
  readonly crv?: string
  readonly x?: string
  readonly y?: string
  readonly d?: string
  readonly kid?: string
  readonly alg?: string
  readonly use?: string
}

export interface VerifierOptions {
  /** The `iss` of tokens, such as `"https://example.com/auth/bearer"`. */
  readonly issuer: string
  /** The name of this API. */
  readonly audience: string
  /** The URL of the keys, or the keys. @default `jwks` below the issuer */
  readonly keys?: string | readonly Jwk[]
  /** @default ES256 and EdDSA */
  readonly algorithms?: readonly ("ES256" | "EdDSA")[]
  /** Seconds by which clocks may differ. @default 60 */
  readonly clockTolerance?: number
  /** Milliseconds that loading the keys may take. @default 5000 */
  readonly timeout?: number
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** A token isn't valid (401), or the keys can't be loaded (503). */
export class TokenError extends Error {
  override readonly name = "TokenError"
  readonly status: 401 | 503
  constructor(message: string, status: 401 | 503 = 401, options?: ErrorOptions) {
    super(message, options)
    this.status = status
  }
}

/**
 * Creates the function that verifies tokens. It takes a token, or a request with `Authorization: Bearer`. Create it once: it keeps the keys.
 *
 * @example
 * ```ts
 * import { createVerifier } from "@latchkey/bearer/verify"
 * const verify = createVerifier({ issuer: "https://example.com/auth/bearer", audience: "https://api.example.com" })
 * export async function handle(request: Request): Promise<Response> {
 *   try {
 *     const { sub } = await verify(request)
 *     return Response.json({ sub })
 *   } catch (error) {
 *     return new Response(null, { status: error instanceof Error && "status" in error ? Number(error.status) : 500 })
 *   }
 * }
 * ```
 * @throws TokenError from the function that it returns
 */
export function createVerifier(
  options: VerifierOptions,
): (token: string | Pick<Request, "headers">) => Promise<AccessToken> {
  const { algorithms = ["ES256", "EdDSA"], now = Date.now } = options
  const find = keyFinder(options, now)
  return async (given) => {
    const [head, body, signature, text] = split(typeof given === "string" ? given : tokenOf(given))
    const { alg, typ, kid, crit } = parse(head)
    const algorithm = algorithms.find((name) => name === alg)
    // RFC 9068 §4: a token of another type, such as an ID token, is none. Keys in the header are never used.
    if (!algorithm || !/^(application\/)?at\+jwt$/i.test(String(typ)) || crit !== undefined || typeof kid !== "string")
      throw new TokenError("The token isn't an access token with a permitted algorithm")
    const kind = kinds[algorithm]
    const found = await find(kid, algorithm)
    const key = await importOnce(found, kind).catch(() => undefined)
    if (!key || !(await crypto.subtle.verify(kind.web, key, signature, text)))
      throw new TokenError("The signature of the token is wrong")
    return check(parse(body), options, now() / 1000)
  }
}

const imported = new WeakMap<Jwk, CryptoKey>()

/** A key is for one algorithm, so no other one finds it here. */
async function importOnce(key: Jwk, { web }: (typeof kinds)[keyof typeof kinds]): Promise<CryptoKey> {
  const { kty, crv, x, y } = key
  const point = { kty, crv, x, ...(y && { y }) } as Jwk
  const made = imported.get(key) ?? (await crypto.subtle.importKey("jwk", point, web, false, ["verify"]))
  imported.set(key, made)
  return made
}

const kinds = {
  ES256: { kty: "EC", crv: "P-256", web: { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" } },
  EdDSA: { kty: "OKP", crv: "Ed25519", web: { name: "Ed25519" } },
} as const

/** Characters. Longer ones cost more than they can be worth. */
const maxToken = 8192

function tokenOf({ headers }: Pick<Request, "headers">): string {
  return /^Bearer +(\S+)$/i.exec(headers.get("authorization") ?? "")?.[1] ?? ""
}

function split(token: string): [string, string, Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>] {
  const [, head, body, signature] = (token.length <= maxToken && /^([\w-]+)\.([\w-]+)\.([\w-]+)$/.exec(token)) || []
  if (!head || !body || !signature) throw new TokenError("There is no token, or it isn't a JWT")
  return [head, body, decode(signature), new TextEncoder().encode(`${head}.${body}`)]
}

function decode(base64url: string): Uint8Array<ArrayBuffer> {
  try {
    const binary = atob(base64url.replace(/-/g, "+").replace(/_/g, "/"))
    return Uint8Array.from(binary, (character) => character.charCodeAt(0))
  } catch (cause) {
    throw new TokenError("The token isn't a JWT", 401, { cause })
  }
}

function parse(part: string): Record<string, unknown> {
  try {
    // `null` has no members to read.
    return Object(JSON.parse(new TextDecoder().decode(decode(part))))
  } catch (cause) {
    throw new TokenError("The token isn't a JWT", 401, { cause })
  }
}

function check(
  claims: Record<string, unknown>,
  { issuer, audience, clockTolerance = 60 }: VerifierOptions,
  now: number,
): AccessToken {
  const { iss, aud, exp, iat, nbf = 0, sub, client_id, jti, cnf } = claims
  const isText = [sub, client_id, jti].every((claim) => typeof claim === "string" && claim)
  if (iss !== issuer || ![aud].flat().includes(audience) || !isText)
    throw new TokenError("The token is of another issuer, or for another API")
  const isTime = [exp, iat, nbf].every((claim) => typeof claim === "number")
  if (!isTime || Number(exp) + clockTolerance <= now || Math.max(Number(iat), Number(nbf)) - clockTolerance > now)
    throw new TokenError("The token has expired, or isn't valid yet")
  // RFC 9449 §7.1: without a proof, a token that is bound to a key must not be accepted.
  if (cnf !== undefined) throw new TokenError("The token is bound to a key")
  return claims as AccessToken
}

type Find = (kid: string, algorithm: keyof typeof kinds) => Promise<Jwk>

/** Milliseconds that keys are used, and after which another attempt to load them may follow. */
const fresh = 600_000
const coolDown = 30_000
/** Milliseconds that keys are used if they can't be loaded again. */
const stale = 3_600_000

function keyFinder(
  { issuer, keys = `${issuer}/jwks`, timeout = 5000, fetch: load = fetch }: VerifierOptions,
  now: () => number,
): Find {
  let known: readonly Jwk[] = typeof keys === "string" ? [] : keys
  let loadedAt = typeof keys === "string" ? -stale : Infinity
  let triedAt = -coolDown
  let loading: Promise<void> | undefined

  async function refresh(url: string) {
    triedAt = now()
    const response = await load(url, { signal: AbortSignal.timeout(timeout), redirect: "manual" })
    const text = await response.text()
    const loaded: unknown = response.ok && text.length < 65_536 ? JSON.parse(text).keys : undefined
    if (!Array.isArray(loaded)) throw new TypeError("There is no key set")
    known = loaded.filter(Boolean)
    loadedAt = triedAt
  }

  /** Anyone can write a `kid`, so an unknown one causes few requests. */
  async function refreshed(url: string) {
    const pause = now() - loadedAt > stale ? 1000 : coolDown
    if (!loading && now() - triedAt < pause) return
    const shared = (loading ??= refresh(url).finally(() => (loading = undefined)))
    // There, a request can't wait for what another one has begun.
    if (globalThis.navigator?.userAgent === "Cloudflare-Workers") loading = undefined
    await shared.catch(() => undefined)
  }

  return async (kid, algorithm) => {
    const found = () => known.find((key) => key.kid === kid && suits(key, algorithm))
    if (typeof keys === "string" && (now() - loadedAt > fresh || !found())) await refreshed(keys)
    if (now() - loadedAt > stale) throw new TokenError("The keys can't be loaded", 503)
    const key = found()
    if (!key) throw new TokenError("The token is signed with an unknown key")
    return key
  }
}

function suits({ kty, crv, alg, use = "sig" }: Jwk, algorithm: keyof typeof kinds): boolean {
  const kind = kinds[algorithm]
  return kty === kind.kty && crv === kind.crv && use === "sig" && (alg ?? algorithm) === algorithm
}
