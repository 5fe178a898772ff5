import type { AuthError } from "../errors.js"
import { consumeAttempt } from "../limits/limiter.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import type { RateLimitAction } from "../model/limits.js"

interface CountedAttempt {
  readonly action: RateLimitAction
  /** The failures that count. */
  readonly counts: readonly (abstract new (
    ...args: never[]
  ) => AuthError)[]
}

/**
 * Takes a point of the rate limit before the work, because the work asks databases and providers, and returns it unless the
 * work fails in a way that counts.
 *
 * @throws RateLimited
 */
export async function countFailures<T>(
  auth: AuthContext,
  request: AuthRequest,
  { action, counts }: CountedAttempt,
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
