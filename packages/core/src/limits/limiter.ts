import { isPromise } from "../primitives/awaitable.js"
import { authenticate } from "../crypto/digest.js"
import { AdapterError, RateLimited } from "../errors.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import type { RateLimit, RateLimitAction, RateLimitOptions, RateLimits, RateLimitStore } from "../model/limits.js"
import type { Awaitable } from "../model/user.js"
import { scopedToAdapter } from "../primitives/state.js"
import { within } from "../primitives/runtime.js"
import { clientIp } from "./client-ip.js"
import { memoryRateLimitStore } from "./memory-store.js"

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
export async function consumeAttempt(
  auth: AuthContext,
  request: AuthRequest,
  attempt: Attempt,
): Promise<() => Promise<void>> {
  const options = auth.rateLimit
  if (options === false) return async () => undefined
  const { store = memoryOf(auth), failOpen = true } = options
  const taken: Taken[] = []
  const giveBack = () => returnAll(auth, store, taken)
  const buckets = bucketsOf(auth, request, attempt, options)
  for (const bucket of isPromise(buckets) ? await buckets : buckets) {
    const answer = asked(auth, failOpen, unlimited, () => store.take(bucket.key, bucket.limit))
    const { allowed, retryAfter } = isPromise(answer) ? await answer : answer
    if (allowed) taken.push(bucket)
    else {
      // What is refused costs the account nothing more: otherwise one address could use up what all share.
      await giveBack()
      throw tooMany(attempt, retryAfter)
    }
  }
  return giveBack
}

function tooMany({ action }: Attempt, seconds: number): RateLimited {
  const retryAfter = Math.max(1, Math.ceil(seconds) || 0)
  return new RateLimited(`There were too many attempts (${action}): wait, or raise \`rateLimit.limits\``, {
    action,
    retryAfter,
  })
}

async function returnAll(auth: AuthContext, store: RateLimitStore, taken: readonly Taken[]): Promise<void> {
  for (const { key, limit } of taken) {
    const given = asked(auth, true, undefined, () => store.giveBack?.(key, limit.seconds))
    if (isPromise(given)) await given
  }
}

const unlimited = { allowed: true, retryAfter: 0 }

const memoryOf = scopedToAdapter(({ runtime }: AuthContext): RateLimitStore => memoryRateLimitStore(runtime.now))

/** The narrowest first, so that it is the first to refuse. */
const kinds = ["both", "address", "identifier"] as const

function bucketsOf(
  auth: AuthContext,
  { headers, peer }: AuthRequest,
  { action, identifiers = [] }: Attempt,
  options: RateLimitOptions,
): Awaitable<readonly Taken[]> {
  const own = options.limits?.[action]
  if (own === false) return []
  const limits = own === undefined ? defaults[action] : { ...defaults[action], ...own }
  const address = clientIp({ headers, peer, options, behindProxy: auth.trustHost !== false })
  const addresses = address === undefined ? [] : [address]
  const subjects = {
    both: addresses.flatMap((from) => identifiers.map((identifier) => `${from} ${identifier}`)),
    address: addresses,
    identifier: identifiers,
  }
  const buckets = kinds.flatMap((kind) => {
    const limit = limits[kind]
    return limit ? subjects[kind].map((subject) => ({ kind, subject, limit })) : []
  })
  // The memory of this process may know whom it counts; what is long would fill it.
  if (options.store === undefined && buckets.every(({ subject }) => subject.length <= longestName)) {
    // Of these words only the last can have spaces in it, and an address has none: no two buckets have one name.
    return buckets.map(({ kind, subject, limit }) => ({ key: `${action} ${kind} ${subject}`, limit }))
  }
  const named = async ({ kind, subject, limit }: (typeof buckets)[number]): Promise<Taken> => {
    return { key: await keyOf(auth, JSON.stringify([action, kind, subject])), limit }
  }
  return Promise.all(buckets.map(named))
}

const longestName = 200

/** Keyed with our secret: the store learns no address, and applications that share it do not meet. */
function keyOf({ secrets }: AuthContext, name: string): Promise<string> {
  return authenticate(secrets[0] ?? "", "rate limit", name)
}

/** What the store says. The memory of the process answers at once: it needs no clock, and nobody to wait. */
function asked<T>(auth: AuthContext, failOpen: boolean, otherwise: T, ask: () => Awaitable<T>): Awaitable<T> {
  const failed = (cause: unknown): T => {
    const text = "The store of the rate limits failed: `rateLimit.failOpen` says what then"
    const fault = new AdapterError(text, { cause })
    if (!failOpen) throw fault
    auth.logger.error(fault)
    return otherwise
  }
  try {
    const answer = ask()
    return isPromise(answer) ? within(patience, answer, late).catch(failed) : answer
  } catch (cause) {
    return failed(cause)
  }
}

function late(): never {
  throw new Error(`It did not answer within ${patience / 1000} seconds`)
}
