import type { AuthContext } from "../../model/auth.js"
import type { ClientSignal } from "../../primitives/runtime.js"
import { processState } from "../../primitives/state.js"
import type { Answer, CountName, Ledger } from "./ledger.js"
import { memoryRateLimitStore } from "../../limits/memory-store.js"

/** Under a long attack, further attempts are slower. docs/decisions/0018-slow-lane.md has the figures. */
const backOff = { points: 20, seconds: 3600 }

/** Seconds between attempts after that. An attempt that was slow before is half as frequent. */
const slowest = (every: number): number => Math.max(60, every * 2)

/**
 * Takes the next slot for an account whose budget is used up: one attempt every few seconds, from any address. The slot is
 * in the store, so all processes together let one attempt through.
 */
export async function takeSlot(ledger: Ledger, [action, kind, subject]: CountName, every: number): Promise<Answer> {
  const slot = await ledger.take([action, `${kind}-slot`, subject], { points: 1, seconds: every })
  if (!slot.allowed) return slot
  const lane = await ledger.take([action, `${kind}-lane`, subject], backOff, 1)
  if (lane.allowed) return slot
  return ledger.take([action, `${kind}-slow-slot`, subject], { points: 1, seconds: slowest(every) })
}

/** A request waits no longer than this. Milliseconds. */
const maxWait = 10_000
const minWait = 50

/** A waiting request costs a connection, so few may wait. */
const maxWaiting = { subject: 4, process: 64 }
const maxWaits = { points: 4, seconds: 60 }

interface WaitingRoom {
  readonly waiting: Map<string, number>
  total: number
  readonly waits: ReturnType<typeof memoryRateLimitStore>
  /** The clients that tried an account in this window. */
  readonly seen: ReturnType<typeof memoryRateLimitStore>
}

const rooms = processState("waiting-rooms", () => new WeakMap<object, WaitingRoom>())

/** Each entry is a client and an account, or an account. */
const maxRemembered = 10_000

function roomOf({ scope, runtime }: AuthContext): WaitingRoom {
  const remember = () => memoryRateLimitStore(runtime.now, maxRemembered)
  const room = rooms.get(scope.clock) ?? { waiting: new Map(), total: 0, waits: remember(), seen: remember() }
  rooms.set(scope.clock, room)
  return room
}

/** Whether a client tries an account for the first time in this window. Only such a client may wait. */
export async function isFirstTry(auth: AuthContext, client: string, subjects: readonly string[]): Promise<boolean> {
  let isFirst = subjects.length > 0
  for (const subject of subjects) {
    const key = `${auth.application.id} ${client} ${subject}`
    const { allowed } = await roomOf(auth).seen.take(key, { points: 1, seconds: 900 })
    isFirst &&= allowed
  }
  return isFirst
}

interface Waiting {
  readonly refused: Answer
  /** `undefined`: not known. */
  readonly signal: ClientSignal | undefined
  /** Tries again. */
  again(): Promise<Answer>
}

/** Waits for a slot, if there is room to wait. The last answer counts. */
export async function waitForSlot(
  auth: AuthContext,
  [action, kind, subject]: CountName,
  { refused, signal, again }: Waiting,
): Promise<Answer> {
  const { sleep } = auth.runtime
  if (sleep === undefined || !(refused.retryAfter * 1000 <= maxWait)) return refused
  const room = roomOf(auth)
  const key = [auth.application.id, action, kind, subject].join(" ")
  if (!(await enter(room, key))) return refused
  let answer = refused
  try {
    let left = maxWait
    while (!answer.allowed && answer.retryAfter * 1000 <= left) {
      const pause = Math.max(minWait, Math.ceil(answer.retryAfter * 1000))
      await sleep(pause, signal)
      if (signal?.aborted === true) break
      left -= pause
      answer = await again()
    }
    return answer
  } finally {
    leave(room, key)
  }
}

async function enter(room: WaitingRoom, key: string): Promise<boolean> {
  const waiting = room.waiting.get(key) ?? 0
  if (waiting >= maxWaiting.subject || room.total >= maxWaiting.process) return false
  room.waiting.set(key, waiting + 1)
  room.total += 1
  if ((await room.waits.take(key, maxWaits)).allowed) return true
  leave(room, key)
  return false
}

function leave(room: WaitingRoom, key: string): void {
  const waiting = (room.waiting.get(key) ?? 1) - 1
  if (waiting === 0) room.waiting.delete(key)
  else room.waiting.set(key, waiting)
  room.total -= 1
}
