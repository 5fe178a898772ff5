import { isPromise } from "../crypto/awaitable.js"
import { authenticate } from "../crypto/digest.js"
import { AdapterError, RateLimited } from "../errors.js"
import type { Auth } from "../model/auth.js"
import type { Incoming } from "../model/http.js"
import type { RateLimit, RateLimitAction, RateLimitOptions, RateLimits, RateLimitStore } from "../model/limits.js"
import { perStore } from "../per-store.js"
import { within } from "../runtime.js"
import { clientAddress } from "./address.js"
import { memoryLimits } from "./memory.js"

/** Seconds. */
const window = 900

const defaults: Readonly<Record<RateLimitAction, RateLimits>> = {
  credentials: {
    both: { points: 10, seconds: window },
    identifier: { points: 30, seconds: window },
    address: { points: 50, seconds: window },
  },
  email: { identifier: { points: 10, seconds: window }, address: { points: 30, seconds: window } },
  link: { identifier: { points: 10, seconds: window }, address: { points: 50, seconds: window } },
  callback: { address: { points: 50, seconds: window } },
}

/** A store that hangs must not hang us. Milliseconds. */
const patience = 2000

export interface Attempt {
  readonly action: RateLimitAction
  /** Whom it is about, normalised; none where the action is about nobody in particular. */
  readonly identifiers?: readonly string[]
}

interface Taken {
  readonly key: string
  readonly limit: RateLimit
}

/**
 * Takes what an attempt costs, before it is made: of many in parallel no more get through than the limit says.
 *
 * @returns gives back what was taken, and only that: for what succeeded
 * @throws RateLimited
 */
export async function spend(auth: Auth, incoming: Incoming, attempt: Attempt): Promise<() => Promise<void>> {
  const options = auth.config.rateLimit
  if (options === false) return async () => undefined
  const { store = memoryOf(auth), failOpen = true } = options ?? {}
  const taken: Taken[] = []
  const giveBack = async () => {
    for (const { key, limit } of taken) await asked(auth, true, undefined, () => store.giveBack?.(key, limit.seconds))
  }
  for (const bucket of await bucketsOf(auth, incoming, attempt, options ?? {})) {
    const { allowed, retryAfter } = await asked(auth, failOpen, unlimited, () => store.take(bucket.key, bucket.limit))
    if (allowed) taken.push(bucket)
    else {
      // What is refused costs the account nothing more: otherwise one address could use up what all share.
      await giveBack()
      throw new RateLimited(`There were too many attempts (${attempt.action}): wait, or raise \`rateLimit.limits\``, {
        action: attempt.action,
        retryAfter: Math.max(1, Math.ceil(retryAfter) || 0),
      })
    }
  }
  return giveBack
}

const unlimited = { allowed: true, retryAfter: 0 }

const memoryOf = perStore<RateLimitStore>(({ runtime }) => memoryLimits(runtime.now))

/** The narrowest first, so that it is the first to refuse. */
const kinds = ["both", "address", "identifier"] as const

async function bucketsOf(
  auth: Auth,
  { headers, peer }: Incoming,
  { action, identifiers = [] }: Attempt,
  options: RateLimitOptions,
): Promise<readonly Taken[]> {
  const own = options.limits?.[action]
  if (own === false) return []
  const limits = { ...defaults[action], ...own }
  const { trustHost } = auth.config
  const address = clientAddress({ headers, peer, options, behindProxy: trustHost !== undefined && trustHost !== false })
  const addresses = address === undefined ? [] : [address]
  const subjects = {
    both: addresses.flatMap((from) => identifiers.map((identifier) => `${from} ${identifier}`)),
    address: addresses,
    identifier: identifiers,
  }
  const buckets = kinds.flatMap((kind) => {
    const limit = limits[kind]
    return limit ? subjects[kind].map((subject) => ({ name: JSON.stringify([action, kind, subject]), limit })) : []
  })
  // The memory of this process may know whom it counts; what is long would fill it.
  if (options.store === undefined && buckets.every(({ name }) => name.length <= longestName)) {
    return buckets.map(({ name, limit }) => ({ key: name, limit }))
  }
  return Promise.all(buckets.map(async ({ name, limit }) => ({ key: await keyOf(auth, name), limit })))
}

const longestName = 200

/** Keyed with our secret: the store learns no address, and applications that share it do not meet. */
function keyOf({ secrets }: Auth, name: string): Promise<string> {
  return authenticate(secrets[0] ?? "", "rate limit", name)
}

async function asked<T>({ logger }: Auth, failOpen: boolean, otherwise: T, ask: () => T | PromiseLike<T>): Promise<T> {
  try {
    return await soon(ask)
  } catch (cause) {
    const fault = new AdapterError("The store of the rate limits failed: `rateLimit.failOpen` says what then", {
      cause,
    })
    if (!failOpen) throw fault
    logger.error(fault)
    return otherwise
  }
}

async function soon<T>(ask: () => T | PromiseLike<T>): Promise<T> {
  const answer = ask()
  // The memory of the process answers at once: it needs no clock.
  if (!isPromise(answer)) return answer
  return within(patience, answer, () => {
    throw new Error(`It did not answer within ${patience / 1000} seconds`)
  })
}
