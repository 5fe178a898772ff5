import { unseal } from "../../http/attempt.js"
import { clearCookie, setCookie } from "../../http/cookie.js"
import type { AuthContext } from "../../model/auth.js"
import type { SetCookie } from "../../model/cookie.js"
import type { AuthRequest } from "../../model/http.js"
import type { TokenPayload } from "../../model/session-strategy.js"
import type { User } from "../../model/user.js"
import { keepSecret } from "../../observability/in-flight.js"
import type { Action } from "./library-types.js"

/** One ceremony that the browser may finish. It lives sealed in the challenge cookie. */
export interface Attempt {
  /** Base64url. */
  readonly challenge: string
  readonly action: Action
  /** Id of the provider. */
  readonly provider: string
  /** Milliseconds since 1970. */
  readonly expires: number
  /** Whom a new passkey is for. Without an `id`, for a new user. */
  readonly user?: { readonly [field in keyof User]?: User[field] | undefined } | undefined
  /** The user who was signed in at the start. */
  readonly signedIn?: string | undefined
  /** Names the user whose passkeys were listed in the options, or no user if they were decoys. */
  readonly listed?: string | undefined
  /** The user handle of a new passkey, in base64url. */
  readonly handle?: string | undefined
  /** Auth.js v5 started it, which binds a ceremony to less. */
  readonly isForeign?: boolean | undefined
}

/** Seconds. */
export const lifetime = 900
/** Each tab with the sign-in page has one for the browser's autofill. */
const maxAttempts = 4
/** Browsers drop cookies over 4096 bytes, name and attributes included. */
const maxCookieLength = 3800

/** Auth.js v5 seals the challenge for this purpose, and the result for the name of the cookie. */
const purpose = "encodedWebauthnChallenge"

/** Adds an attempt to those of the browser's other tabs. Auth.js v5 can read the newest one. */
export async function writeAttempt(
  auth: AuthContext,
  request: AuthRequest,
  started: Omit<Attempt, "expires">,
): Promise<SetCookie> {
  const expires = auth.runtime.now() + lifetime * 1000
  return writeAttempts(request, [{ ...started, expires }, ...(await readAttempts(auth, request))])
}

async function writeAttempts(request: AuthRequest, given: readonly Attempt[]): Promise<SetCookie> {
  const { webauthnChallenge: cookie } = request.scheme.cookies
  const attempts = given.slice(0, maxAttempts)
  const sealed = await sealAttempts(request, attempts)
  if (sealed.length > maxCookieLength && attempts.length > 1) return writeAttempts(request, attempts.slice(0, -1))
  return setCookie(cookie, sealed)
}

async function sealAttempts(request: AuthRequest, attempts: readonly Attempt[]): Promise<string> {
  const { sealer, cookies } = request.scheme
  keepSecret(request, { attempts })
  const newest = attempts[0]
  const content = { challenge: newest?.challenge, registerData: newest?.user, attempts }
  const value = await sealer.seal(purpose, content, lifetime)
  return sealer.seal(cookies.webauthnChallenge.name, { value, provider: newest?.provider }, lifetime)
}

/** The attempts of this browser that haven't expired, the newest first. */
export async function readAttempts({ runtime }: AuthContext, request: AuthRequest): Promise<readonly Attempt[]> {
  const { cookies, scheme } = request
  const { name } = scheme.cookies.webauthnChallenge
  const token = cookies.get(name)
  if (token === undefined) return []
  try {
    const { payload: outer } = await unseal(request, name, token)
    const { payload } = await unseal(request, purpose, String(outer["value"]))
    keepSecret(request, payload, outer["value"])
    const attempts = Array.isArray(payload["attempts"]) ? payload["attempts"] : foreignAttempt(outer, payload)
    return attempts.filter(isAttempt).filter(({ expires }) => expires > runtime.now())
  } catch {
    // Forged, damaged or expired.
    return []
  }
}

/** Auth.js v5 names no purpose: a ceremony with user data is a registration. */
function foreignAttempt({ provider }: TokenPayload, payload: TokenPayload): readonly unknown[] {
  const { challenge, registerData: user, exp } = payload
  const signedIn = typeof user === "object" && user !== null && "id" in user ? user.id : undefined
  const action = user === undefined ? "authenticate" : "register"
  return [{ challenge, action, provider, user, signedIn, expires: Number(exp) * 1000, isForeign: true }]
}

/** The content was sealed here or by Auth.js. Only its shape can be unexpected. */
function isAttempt(value: unknown): value is Attempt {
  if (typeof value !== "object" || value === null) return false
  const { challenge, provider, expires }: Partial<Attempt> = value
  return typeof challenge === "string" && typeof provider === "string" && typeof expires === "number"
}

/** The challenge cookie without an attempt that was used. */
export async function withoutAttempt(
  auth: AuthContext,
  request: AuthRequest,
  challenge: string | undefined,
): Promise<readonly SetCookie[]> {
  const { webauthnChallenge: cookie } = request.scheme.cookies
  if (!request.cookies.has(cookie.name)) return []
  const attempts = await readAttempts(auth, request)
  const left = attempts.filter((attempt) => attempt.challenge !== challenge)
  // A challenge of no attempt here is a failed attack or an outdated page. Nothing may be tried twice.
  if (left.length === 0 || left.length === attempts.length) return [clearCookie(cookie)]
  return [await writeAttempts(request, left)]
}
