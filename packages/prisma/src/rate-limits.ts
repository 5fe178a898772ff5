import { UniqueViolation } from "@latchkey/core/adapters"
import type { RateLimit, RateLimitStore } from "@latchkey/core/types"
import { type Delegate, type Row, typeOf } from "./client.js"
import type { Store } from "./store.js"

type Taken = Awaited<ReturnType<RateLimitStore["take"]>>

/** Counts attempts in a table. Each step changes the row only if it's still what was read, so parallel calls can't exceed the limit. */
export function createRateLimitStore(store: Store, model: Delegate): Required<RateLimitStore> {
  return {
    take: async (key, limit) => {
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const taken = await tryTake(store, model, key, limit)
        if (taken) return taken
      }
      throw new Error("Other requests keep changing the same rate limit. Try again later.")
    },
    giveBack: async (key) => {
      const where = { key, points: { gt: 0 }, resets: { gt: storedTime(model, Date.now()) } }
      await store.run(() => model.updateMany({ where, data: { points: { decrement: 1 } } }))
    },
  }
}

/** Each attempt that fails is another one's success. */
const maxAttempts = 1000

/** `undefined`: another call was faster. */
async function tryTake(store: Store, model: Delegate, key: string, limit: RateLimit): Promise<Taken | undefined> {
  const now = Date.now()
  const end = storedTime(model, now + limit.seconds * 1000)
  const [row] = await store.find(model, { key })
  if (row === undefined) return (await create(store, model, { key, points: 1, resets: end })) ? allowed : undefined
  const resets = Number(row["resets"])
  const change = async (where: Row, data: Row) => {
    const same = { key, resets: row["resets"], ...where }
    const { count } = await store.run(() => model.updateMany({ where: same, data }))
    return count > 0 ? allowed : undefined
  }
  if (resets <= now) return change({ points: row["points"] }, { points: 1, resets: end })
  if (Number(row["points"]) >= limit.points) return { allowed: false, retryAfter: (resets - now) / 1000 }
  return change({ points: { lt: limit.points } }, { points: { increment: 1 } })
}

const allowed: Taken = { allowed: true, retryAfter: 0 }

async function create(store: Store, model: Delegate, row: Row): Promise<boolean> {
  try {
    await store.insert(model, row)
    return true
  } catch (error) {
    if (error instanceof UniqueViolation) return false
    throw error
  }
}

/** Milliseconds since 1970. */
function storedTime(model: Delegate, milliseconds: number): number | bigint {
  return typeOf(model, "resets") === "BigInt" ? BigInt(milliseconds) : milliseconds
}
