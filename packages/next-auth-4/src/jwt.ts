import { openVersion4, sealVersion4 } from "@latchkey/core/version4"
import { getToken as findToken } from "@latchkey/core/jwt"
import type { GetServerSidePropsContext, NextApiRequest } from "next"
import type { NextRequest } from "next/server.js"
import { secretFromEnv } from "./env.js"
import type { JWT, JWTDecodeParams, JWTEncodeParams, JWTOptions, Secret } from "./jwt-types.js"
import type { Anything, LoggerInstance } from "./model.js"

export * from "./jwt-types.js"

const month = 2_592_000

/**
 * Seals claims as next-auth 4 does: compact JWE with `dir` and A256GCM.
 *
 * @example
 * ```ts
 * import { decode, encode } from "@latchkey/next-auth-4/jwt"
 * const token = await encode({ token: { sub: "ada" }, secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fG" })
 * const claims = await decode({ token, secret: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fG" })
 * ```
 * @throws Error without a secret
 */
export async function encode({ token = {}, secret, maxAge = month, salt = "" }: JWTEncodeParams): Promise<string> {
  return sealVersion4(token, { secret: given(secret), maxAge, salt })
}

/**
 * Opens a token that `encode` or next-auth 4 sealed.
 *
 * @returns the claims, or `null` without a token
 * @throws Error without a secret, or if the token was sealed with another secret or salt, was changed, or has expired
 */
export async function decode({ token, secret, salt = "" }: JWTDecodeParams): Promise<JWT | null> {
  if (!token) return null
  const opened = await openVersion4(token, { secrets: [given(secret)], now: Date.now(), salt })
  if (opened === null)
    throw new Error("The token can't be opened. It was sealed with another secret, changed, or has expired")
  return opened.claims
}

/** Types don't keep an application from passing a variable that isn't set. */
function given(secret: Secret | null | undefined): string | Uint8Array<ArrayBuffer> {
  if (!secret?.length) throw new Error("No secret was passed. Set NEXTAUTH_SECRET, and pass it as `secret`")
  return typeof secret === "string" ? secret : new Uint8Array(secret)
}

export interface GetTokenParams<R extends boolean = false> {
  req: GetServerSidePropsContext["req"] | NextRequest | NextApiRequest
  /** Whether the cookie has the prefix `__Secure-`. @default whether NEXTAUTH_URL is https, else whether VERCEL is set */
  secureCookie?: boolean
  /** @default "next-auth.session-token", with the prefix */
  cookieName?: string
  /** Returns the token and not its claims. @default false */
  raw?: R
  /** @default NEXTAUTH_SECRET, else AUTH_SECRET */
  secret?: string
  decode?: JWTOptions["decode"]
  logger?: LoggerInstance | Console
}

/**
 * Reads the token of a request, from its cookie or else its `Authorization` header.
 *
 * @returns the claims, or `null` without a token, or if it isn't valid
 * @throws Error without `req`
 */
export async function getToken<R extends boolean = false>(
  params: GetTokenParams<R>,
): Promise<R extends true ? string : JWT | null> {
  const { req, raw, secret = secretFromEnv(), decode: open = decode } = params
  if (!req) throw new Error("Pass `req` to getToken()")
  const { cookieName = defaultName(params.secureCookie) } = params
  const token = await findToken({ req: { headers: headersOf(req) }, cookieName, secret: "-", raw: true })
  // `raw` decides the type.
  const result = raw ? token : await opened(token, { open, secret })
  return result as R extends true ? string : JWT | null
}

function defaultName(secureCookie: boolean | undefined): string {
  const { NEXTAUTH_URL, VERCEL } = process.env
  const secure = secureCookie ?? NEXTAUTH_URL?.startsWith("https://") ?? Boolean(VERCEL)
  return `${secure ? "__Secure-" : ""}next-auth.session-token`
}

async function opened(
  token: string | null,
  { open, secret }: { open: JWTOptions["decode"]; secret: string | undefined },
): Promise<JWT | null> {
  if (token === null) return null
  try {
    // As in version 4, a `decode` of the application may need none. Ours throws without one.
    return await open({ token, secret: secret as string })
  } catch {
    return null
  }
}

/** A caller may pass cookies without their header, as `{ headers, cookies }` in a Server Component. */
function headersOf({ headers, cookies }: Anything): Headers {
  const get = (name: string) => (typeof headers?.get === "function" ? headers.get(name) : headers?.[name])
  const found = new Headers()
  const authorization: unknown = get("authorization")
  if (typeof authorization === "string") found.set("authorization", authorization)
  const pairs = pairsIn(cookies).map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
  const cookie: unknown = pairs.length > 0 ? pairs.join("; ") : get("cookie")
  if (typeof cookie === "string") found.set("cookie", cookie)
  return found
}

function pairsIn(cookies: Anything): readonly (readonly [name: string, value: string])[] {
  if (typeof cookies?.getAll === "function") return cookies.getAll().map(({ name, value }: Anything) => [name, value])
  return cookies instanceof Map ? [...cookies] : Object.entries(cookies ?? {})
}
