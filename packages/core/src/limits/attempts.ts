import { clientOf } from "../http/client-ip.js"
import type { AuthError } from "../errors.js"
import type { AuthContext } from "../model/auth.js"
import type { CountedAttempt, Limiter, Refund } from "../model/features.js"
import type { SetCookie } from "../model/cookie.js"
import type { AuthRequest } from "../model/http.js"
import type { RateLimit, RateLimitAction, RateLimitOptions } from "../model/limits.js"

/**
 * Counts an attempt before it's made, so parallel attempts can't exceed the limit.
 *
 * @returns a function that refunds the attempt, for attempts that don't count if they succeed
 * @throws RateLimited
 */
export async function consumeAttempt(
  auth: AuthContext,
  request: AuthRequest,
  attempt: CountedAttempt,
): Promise<Refund> {
  const limiter = isLimited(auth.rateLimit, attempt.action) ? await limiterOf(auth) : undefined
  return limiter === undefined ? async () => undefined : limiter.consumeAttempt(auth, request, attempt)
}

/**
 * Takes a point of the rate limit before the work, because the work asks databases and providers, and returns it unless the
 * work fails in a way that counts.
 *
 * @param counts the failures that count
 * @throws RateLimited
 */
export async function countFailures<T>(
  auth: AuthContext,
  request: AuthRequest,
  { action, counts }: { readonly action: RateLimitAction; readonly counts: readonly ErrorClass[] },
  work: () => Promise<T>,
): Promise<T> {
  const refund = await consumeAttempt(auth, request, { action })
  try {
    const result = await work()
    await refund()
    return result
  } catch (cause) {
    if (!counts.some((Kind) => cause instanceof Kind)) await refund()
    throw cause
  }
}

type ErrorClass = abstract new (...args: never[]) => AuthError

/**
 * Counts an attempt with the limit of a module.
 *
 * @param action names the module and its limit
 * @throws RateLimited
 */
export async function consumeOne(auth: AuthContext, action: string, limit: RateLimit, subject: string): Promise<void> {
  await (await limiterOf(auth))?.consumeOne(auth, action, limit, subject)
}

/** The cookie that makes this browser a known device of a user who signed in. A sign-out keeps it. */
export async function rememberDevice(
  auth: AuthContext,
  request: AuthRequest,
  actions: readonly RateLimitAction[],
  names: readonly string[],
): Promise<readonly SetCookie[]> {
  return (await (await limiterOf(auth))?.rememberDevice(auth, request, actions, names)) ?? []
}

/** Whether attempts of this kind are counted. */
export function isLimited(options: RateLimitOptions | false, action: RateLimitAction): boolean {
  return options !== false && options.limits?.[action] !== false
}

/** The address that limits count by, and whether the client may have written it itself. */
export function addressOf(
  auth: AuthContext,
  request: AuthRequest,
): { readonly address: string | undefined; readonly isForgeable: boolean } {
  const { address, isForgeable } = clientOf(auth, request)
  if (address === undefined || !isForgeable) return { address, isForgeable: false }
  // A budget of its own: what others have used up in the name of an address doesn't count for a connection from it.
  return { address: `claimed ${address}`, isForgeable }
}

async function limiterOf({ features, rateLimit }: AuthContext): Promise<Limiter<AuthContext> | undefined> {
  return rateLimit === false ? undefined : features.limiter?.()
}
