import { authenticate } from "../../crypto/digest.js"
import { AdapterError } from "../../errors.js"
import type { AuthContext, SiteScope } from "../../model/auth.js"
import type { RateLimit, RateLimitOptions, RateLimitStore } from "../../model/limits.js"
import type { Awaitable } from "../../model/user.js"
import { isPromise } from "../../primitives/awaitable.js"
import { within } from "../../primitives/runtime.js"
import { processState } from "../../primitives/state.js"
import { memoryRateLimitStore } from "../../limits/memory-store.js"

/** For one call to the store. Milliseconds. */
const timeoutMs = 2000

export interface Answer {
  readonly allowed: boolean
  /** Seconds. */
  readonly retryAfter: number
}

/** What is counted: the action, the kind of limit, and the subject. Only the subject may contain spaces. */
export type CountName = readonly [action: string, kind: string, subject: string]

/** The points that one attempt takes. */
export interface Ledger {
  /**
   * @param share the limit of all later applications together, in shares of this limit
   * @throws AdapterError if the store fails and `failOpen` is off
   */
  take(name: CountName, limit: RateLimit, share?: number): Promise<Answer>
  /** Gives back what was taken, and nothing else. Never throws. */
  refund(): Promise<void>
}

interface Taken {
  readonly key: string
  readonly seconds: number
  readonly from: RateLimitStore
  /** When the window ends that the point was taken from. Milliseconds since 1970. */
  readonly ends: number
}

/**
 * What all later applications with one secret in this process may do together, in shares of what the first one may do. An
 * application that replaces its configuration every few requests looks like several, and gets five times its limits at most.
 */
const siteShare = 4

const unlimited: Answer = { allowed: true, retryAfter: 0 }

/** Counts in the store of the configuration or the adapter. While that fails, it counts in the memory of this process. */
export function openLedger(auth: AuthContext, { store, failOpen = true }: RateLimitOptions): Ledger {
  const memory = memoryOf(auth)
  const taken: Taken[] = []
  // One attempt waits for a store that doesn't answer once, however many limits it has.
  let working = store
  const takeFrom = async (from: RateLimitStore, key: string, limit: RateLimit): Promise<Answer | undefined> => {
    const now = auth.runtime.now()
    const answer = await ask(auth, failOpen, () => from.take(key, limit))
    if (answer?.allowed === true) {
      const seconds = answer.retryAfter > 0 ? Math.min(answer.retryAfter, limit.seconds) : limit.seconds
      taken.push({ key, seconds: limit.seconds, from, ends: now + seconds * 1000 })
    }
    return answer
  }
  return {
    async take(name, limit, share = siteShare) {
      const shared = working && (await takeFrom(working, await sharedKey(auth, name), limit))
      if (shared !== undefined) return shared
      working = undefined
      const { application, scope } = auth
      const own = await takeFrom(memory, await memoryKey(auth, application, name), limit)
      if (own?.allowed !== true || application === scope) return own ?? unlimited
      const total = { ...limit, points: limit.points * share }
      return (await takeFrom(memory, await memoryKey(auth, scope, name, "total"), total)) ?? unlimited
    },
    async refund() {
      // A point that is given back in a later window would let another attempt through.
      const current = taken.splice(0).filter(({ ends }) => ends > auth.runtime.now())
      await Promise.all(current.map(({ key, seconds, from }) => ask(auth, true, () => from.giveBack?.(key, seconds))))
    },
  }
}

const memories = processState("rate-limits", () => new WeakMap<object, RateLimitStore>())

/** One memory for all sites of this process, so that its size has a limit, however many tenants there are. */
function memoryOf({ scope, runtime }: AuthContext): RateLimitStore {
  const memory = memories.get(scope.clock) ?? memoryRateLimitStore(runtime.now)
  memories.set(scope.clock, memory)
  return memory
}

const maxNameLength = 200

/** In the memory of this process the names needn't be hashed, unless they're long. */
async function memoryKey(auth: AuthContext, { id }: SiteScope, name: CountName, total = ""): Promise<string> {
  return `${id}${total} ${name[2].length <= maxNameLength ? name.join(" ") : await sharedKey(auth, name)}`
}

/** A hash keyed with the secret: the store learns no emails or IP addresses, and applications can share it. */
async function sharedKey({ secrets }: AuthContext, name: CountName): Promise<string> {
  return authenticate(secrets[0] ?? "", "rate limit", JSON.stringify(name))
}

/** Calls a store. `undefined`: it failed, and attempts are allowed meanwhile. */
async function ask<T>(auth: AuthContext, failOpen: boolean, call: () => Awaitable<T>): Promise<T | undefined> {
  try {
    const answer = call()
    // A store in memory needs no timer.
    return isPromise(answer) ? await within(timeoutMs, answer, late) : answer
  } catch (cause) {
    const text =
      "The store of the rate limits failed. `rateLimit.failOpen` decides whether attempts are allowed meanwhile"
    const error = new AdapterError(text, { cause })
    if (!failOpen) throw error
    auth.logger.error(error)
    return undefined
  }
}

function late(): never {
  throw new Error(`The store didn't answer within ${timeoutMs / 1000} seconds`)
}
