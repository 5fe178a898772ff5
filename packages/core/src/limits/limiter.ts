import { isPromise } from "../primitives/awaitable.js"
import { authenticate } from "../crypto/digest.js"
import { AdapterError, RateLimited } from "../errors.js"
import type { AuthContext } from "../model/auth.js"
import type { AuthRequest } from "../model/http.js"
import type { RateLimit, RateLimitAction, RateLimitOptions, RateLimits, RateLimitStore } from "../model/limits.js"
import type { Awaitable } from "../model/user.js"
import { processState } from "../primitives/state.js"
import { within } from "../primitives/runtime.js"
import { clientIp } from "./client-ip.js"
import { memoryRateLimitStore } from "./memory-store.js"

/** Length of a window in seconds. */
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
  webauthn: { address: { points: 50, seconds: window } },
}

/** For one call to the store. Milliseconds. */
const timeoutMs = 2000

export interface Attempt {
  readonly action: RateLimitAction
  /** The normalized names of the accounts or mailboxes that the attempt is about. */
  readonly identifiers?: readonly string[]
}

interface Bucket {
  readonly key: string
  readonly limit: RateLimit
}

/**
 * Counts an attempt before it's made, so parallel attempts can't exceed the limit.
 *
 * @returns a function that refunds the attempt, for attempts that don't count if they succeed
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
  const taken: Bucket[] = []
  const refund = () => refundAll(auth, store, taken)
  const buckets = bucketsOf(auth, request, attempt, options)
  for (const bucket of isPromise(buckets) ? await buckets : buckets) {
    const answer = ask(auth, failOpen, unlimited, () => store.take(bucket.key, bucket.limit))
    const { allowed, retryAfter } = isPromise(answer) ? await answer : answer
    if (allowed) taken.push(bucket)
    else {
      // A refused attempt costs nothing. Otherwise one IP address could use up the limit of an account for all others.
      await refund()
      throw tooMany(attempt, retryAfter)
    }
  }
  return refund
}

function tooMany({ action }: Attempt, seconds: number): RateLimited {
  const retryAfter = Math.max(1, Math.ceil(seconds) || 0)
  return new RateLimited(`There were too many attempts (${action}). Wait, or raise \`rateLimit.limits\``, {
    action,
    retryAfter,
  })
}

async function refundAll(auth: AuthContext, store: RateLimitStore, taken: readonly Bucket[]): Promise<void> {
  for (const { key, limit } of taken) {
    const given = ask(auth, true, undefined, () => store.giveBack?.(key, limit.seconds))
    if (isPromise(given)) await given
  }
}

const unlimited = { allowed: true, retryAfter: 0 }

const memories = processState("rate-limits", () => new WeakMap<object, RateLimitStore>())

/** One memory for all sites of this process, so that its size has a limit, however many tenants there are. */
function memoryOf({ scope, runtime }: AuthContext): RateLimitStore {
  const memory = memories.get(scope.clock) ?? memoryRateLimitStore(runtime.now)
  memories.set(scope.clock, memory)
  return memory
}

/** The narrowest limit first, so it's the first to refuse. */
const kinds = ["both", "address", "identifier"] as const

function bucketsOf(
  auth: AuthContext,
  { headers, peer }: AuthRequest,
  { action, identifiers = [] }: Attempt,
  options: RateLimitOptions,
): Awaitable<readonly Bucket[]> {
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
  // In the memory of this process the names needn't be hashed, unless they're long.
  if (options.store === undefined && buckets.every(({ subject }) => subject.length <= maxNameLength)) {
    // Only the last part can contain spaces, and an IP address has none, so no two buckets share a key.
    return buckets.map(({ kind, subject, limit }) => ({ key: `${auth.scope.id} ${action} ${kind} ${subject}`, limit }))
  }
  const named = async ({ kind, subject, limit }: (typeof buckets)[number]): Promise<Bucket> => {
    return { key: await keyOf(auth, JSON.stringify([action, kind, subject])), limit }
  }
  return Promise.all(buckets.map(named))
}

const maxNameLength = 200

/** A hash keyed with the secret: the store learns no emails or IP addresses, and applications can share it. */
function keyOf({ secrets }: AuthContext, name: string): Promise<string> {
  return authenticate(secrets[0] ?? "", "rate limit", name)
}

/** Calls the store. A store in memory answers synchronously, so it needs no timer. */
function ask<T>(auth: AuthContext, failOpen: boolean, otherwise: T, call: () => Awaitable<T>): Awaitable<T> {
  const failed = (cause: unknown): T => {
    const text =
      "The store of the rate limits failed. `rateLimit.failOpen` decides whether attempts are allowed meanwhile"
    const error = new AdapterError(text, { cause })
    if (!failOpen) throw error
    auth.logger.error(error)
    return otherwise
  }
  try {
    const answer = call()
    return isPromise(answer) ? within(timeoutMs, answer, late).catch(failed) : answer
  } catch (cause) {
    return failed(cause)
  }
}

function late(): never {
  throw new Error(`The store didn't answer within ${timeoutMs / 1000} seconds`)
}
