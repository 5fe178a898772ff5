import { authenticate } from "../../crypto/digest.js"
import { AdapterError } from "../../errors.js"
import { memoryRateLimitStore } from "../../limits/memory-store.js"
import type { AuthContext } from "../../model/auth.js"
import type { RateLimit, RateLimitStore } from "../../model/limits.js"
import { type Awaitable, isPromise } from "../../primitives/awaitable.js"
import { within } from "../../primitives/runtime.js"
import { stateOfClock } from "../../primitives/state.js"

/** For one call to the store. Milliseconds. */
const timeoutMs = 2000

export type Answer = Awaited<ReturnType<RateLimitStore["take"]>>

/** What is counted: the action, the kind of limit, and the subject. Only the subject may contain spaces. */
type Name = readonly [action: string, kind: string, subject: string]

/** The points that one attempt takes. */
export interface Ledger {
  /** @throws AdapterError if the store fails and `failOpen` is off */
  take(name: Name, limit: RateLimit): Promise<Answer>
  /** Gives back what was taken, and nothing else. Never throws. */
  refund(): Promise<void>
}

/** One memory for all sites of this process, so that its size has a limit, however many tenants there are. */
const memoryOf = stateOfClock("rate-limits", ({ runtime }: AuthContext) => memoryRateLimitStore(runtime.now))

/** Counts in the store of the configuration or the adapter. While that fails, it counts in the memory of this process. */
export function openLedger(auth: AuthContext): Ledger {
  const { site, runtime } = auth
  const { store, failOpen = true } = auth.rateLimit || {}
  const memory = memoryOf(auth)
  // One attempt waits for a store that doesn't answer once, however many limits it has.
  let working = store
  const taken: { readonly ends: number; readonly giveBack: () => Awaitable<void> }[] = []

  async function takeFrom(from: RateLimitStore, key: string, limit: RateLimit): Promise<Answer> {
    const now = runtime.now()
    const answer = await from.take(key, limit)
    if (answer.allowed) {
      const seconds = answer.retryAfter > 0 ? Math.min(answer.retryAfter, limit.seconds) : limit.seconds
      taken.push({ ends: now + seconds * 1000, giveBack: () => from.giveBack?.(key, limit.seconds) })
    }
    return answer
  }

  return {
    async take(name, limit) {
      const from = working
      if (from !== undefined) {
        const key = await keyOf(auth, name)
        const answer = await inTime(auth, failOpen, () => takeFrom(from, key, limit))
        if (answer !== undefined) return answer
        working = undefined
      }
      return takeFrom(memory, `${site.id} ${name.join(" ")}`, limit)
    },
    async refund() {
      // A point that is given back in a later window would let another attempt through.
      const current = taken.splice(0).filter(({ ends }) => ends > runtime.now())
      await Promise.all(current.map(({ giveBack }) => inTime(auth, true, giveBack)))
    },
  }
}

/** A hash keyed with the secret: the store learns no emails or IP addresses, and applications can share it. */
async function keyOf({ secrets }: AuthContext, name: Name): Promise<string> {
  return authenticate(secrets[0] ?? "", "rate limit", JSON.stringify(name))
}

/** The answer of a store. `undefined`: it failed, and attempts are allowed meanwhile. */
async function inTime<T>({ logger }: AuthContext, failOpen: boolean, ask: () => Awaitable<T>): Promise<T | undefined> {
  try {
    const answer = ask()
    return isPromise(answer) ? await within(timeoutMs, answer, late) : answer
  } catch (cause) {
    const text =
      "The store of the rate limits failed. `rateLimit.failOpen` decides whether attempts are allowed meanwhile"
    const error = new AdapterError(text, { cause })
    if (!failOpen) throw error
    logger.error(error)
    return undefined
  }
}

function late(): never {
  throw new Error(`The store didn't answer within ${timeoutMs / 1000} seconds`)
}
