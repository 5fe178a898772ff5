import { memoryRateLimitStore } from "../../limits/memory-store.js"
import type { AuthContext } from "../../model/auth.js"
import type { RateLimitStore } from "../../model/limits.js"
import type { ClientSignal } from "../../primitives/runtime.js"
import { type BoundedMap, createBoundedMap, stateOfClock } from "../../primitives/state.js"
import type { Answer } from "./ledger.js"

/** A request waits no longer than this. Milliseconds. */
const maxWait = 10_000
const minWait = 50

/** A waiting request costs a connection, so few may wait: in this process at a time, and for one user in a minute. */
const maxWaiting = 64
const maxWaits = 4
const minute = 60_000

interface WaitingRoom {
  waiting: number
  /** When the requests of the last minute came to wait for a user. */
  readonly arrivals: BoundedMap<string, readonly number[]>
  /** The first tries of clients. */
  readonly tries: RateLimitStore
}

const roomOf = stateOfClock("waiting-room", ({ runtime }: AuthContext): WaitingRoom => {
  return { waiting: 0, arrivals: createBoundedMap(10_000), tries: memoryRateLimitStore(runtime.now, 10_000) }
})

/** Whether a client tries each of these accounts for the first time in 15 minutes. Only such a client may wait. */
export async function isFirstTry(auth: AuthContext, client: string, names: readonly string[]): Promise<boolean> {
  const { tries } = roomOf(auth)
  let isFirst = true
  for (const name of names) {
    const { allowed } = await tries.take(`${auth.site.id} ${client} ${name}`, { points: 1, seconds: 900 })
    isFirst &&= allowed
  }
  return isFirst
}

/** Tries again until it's the request's turn, if there is room to wait. The last answer counts. */
export async function waitForTurn(
  auth: AuthContext,
  subject: string,
  { refused, again, signal }: Waiting,
): Promise<Answer> {
  const { sleep } = auth.runtime
  const room = roomOf(auth)
  const isSoon = ({ retryAfter }: Answer, left: number) => retryAfter * 1000 <= left
  if (sleep === undefined || !isSoon(refused, maxWait) || !arrives(auth, room, subject)) return refused
  let [answer, left] = [refused, maxWait]
  room.waiting += 1
  try {
    while (!answer.allowed && isSoon(answer, left)) {
      const pause = Math.max(minWait, Math.ceil(answer.retryAfter * 1000))
      await sleep(pause, signal)
      if (signal?.aborted === true) break
      left -= pause
      answer = await again()
    }
    return answer
  } finally {
    room.waiting -= 1
  }
}

interface Waiting {
  readonly refused: Answer
  readonly again: () => Promise<Answer>
  /** `undefined`: not known. */
  readonly signal: ClientSignal | undefined
}

/** No request waits for more than a minute, so few arrivals in a minute are also few requests at a time. */
function arrives({ site, runtime }: AuthContext, { waiting, arrivals }: WaitingRoom, subject: string): boolean {
  const now = runtime.now()
  const key = `${site.id} ${subject}`
  const recent = (arrivals.get(key) ?? []).filter((arrival) => arrival > now - minute)
  if (waiting >= maxWaiting || recent.length >= maxWaits) return false
  arrivals.set(key, [...recent, now], { now, expires: now + minute })
  return true
}
