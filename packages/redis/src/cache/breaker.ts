/** Options of {@link createBreaker}. */
export interface BreakerOptions {
  /** How long a call may take, in milliseconds. */
  readonly timeoutMillis: number
  /** How long no call is made after a failure, in milliseconds. */
  readonly retryMillis: number
  /** Called once per outage, with the first error. */
  readonly onError: (error: unknown) => void
}

/** Keeps requests from waiting for a server that doesn't respond. */
export interface Breaker {
  /** Rejects at once during an outage, except for one call per `retryMillis`, which tries whether it's over. */
  attempt<T>(work: () => Promise<T>): Promise<T>
  /** Makes the call during an outage too. */
  insist<T>(work: () => Promise<T>): Promise<T>
}

export function createBreaker({ timeoutMillis, retryMillis, onError }: BreakerOptions): Breaker {
  /** When the next call is made. `undefined`: there is no outage. */
  let retryAt: number | undefined
  const insist = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      const result = await within(timeoutMillis, work)
      retryAt = undefined
      return result
    } catch (error) {
      const isFirst = retryAt === undefined
      retryAt = performance.now() + retryMillis
      if (isFirst) onError(error)
      throw error
    }
  }
  return {
    insist,
    attempt: (work) => {
      if (retryAt === undefined) return insist(work)
      if (performance.now() < retryAt) return Promise.reject(new Error("Redis didn't respond a moment ago."))
      // Parallel requests don't try as well.
      retryAt = performance.now() + retryMillis
      return insist(work)
    },
  }
}

/** A client may keep a command until it's connected again. What the late command does must be harmless. */
async function within<T>(milliseconds: number, work: () => Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<never>((_, reject) => {
    const late = () => reject(new Error(`Redis didn't respond within ${milliseconds} ms.`))
    timer = setTimeout(late, milliseconds)
  })
  try {
    return await Promise.race([work(), timeout])
  } finally {
    clearTimeout(timer)
  }
}
