import { AsyncLocalStorage } from "node:async_hooks"
import type { Adapter } from "@latchkey/core/adapters"
import type { Scheduler } from "fast-check"
import { around } from "./faulty.js"
import type { History } from "./history.js"

/**
 * Lets several pieces of work use one store, one call at a time, in an order that `scheduler` draws. The next call is
 * let through only when nothing else moves: each piece of work waits for the store, for another piece, or has ended.
 */
export interface Interleaving {
  /** The store as the pieces of work see it; calls that were not made in `run` pass at once. */
  readonly adapter: Adapter
  /** Runs them all, and resolves when all have ended. */
  run(pieces: readonly (() => Promise<unknown>)[]): Promise<void>
  /** The calls in the order in which they were let through. */
  readonly trace: readonly string[]
}

/** Turns of the event loop without a move after which nothing moves any more: what is left waits for the store. */
const quiet = 20

/** Work that other threads do for Web Crypto: however long it takes, the next call isn't let through before it ends. */
let jobs = 0
for (const name of Object.getOwnPropertyNames(SubtleCrypto.prototype)) {
  const original: unknown = Reflect.get(SubtleCrypto.prototype, name)
  if (typeof original !== "function" || name === "constructor") continue
  const value = async function (this: SubtleCrypto, ...args: unknown[]): Promise<unknown> {
    jobs++
    try {
      return await Reflect.apply(original, this, args)
    } finally {
      jobs--
    }
  }
  Object.defineProperty(SubtleCrypto.prototype, name, { value, writable: true, configurable: true })
}

interface Arrival {
  readonly piece: number
  readonly method: string
  enter(): void
}

/** Which piece of work a call belongs to. */
const pieceOfWork = new AsyncLocalStorage<number>()

export function interleaving(store: Adapter, scheduler: Scheduler, faults: History["faults"]): Interleaving {
  const trace: string[] = []
  let arrivals: Arrival[] = []
  let [isRunning, ended, moves] = [false, 0, 0]
  /** One transaction at a time, and nothing beside it: what the single connection of SQLite does anyway. */
  const door = { isInTransaction: false, underWay: 0 }

  const turn = async (method: string): Promise<void> => {
    const piece = pieceOfWork.getStore() ?? 0
    moves++
    await new Promise<void>((enter) => arrivals.push({ piece, method, enter }))
    moves++
  }
  /** By piece, as the order in which they come to the door depends on how busy the machine is. */
  const queueUp = (): void => {
    for (const { method, enter } of arrivals.toSorted((a, b) => a.piece - b.piece))
      void scheduler.schedule(Promise.resolve(), method).then(enter)
    arrivals = []
  }
  const faultAt = (at: number) => faults.find((fault) => fault.at === at)?.moment
  const failing = async (at: number, run: () => Promise<unknown>): Promise<unknown> => {
    if (faultAt(at) === "before") throw new Error("connection lost")
    const result = await run()
    moves++
    if (faultAt(at) === "after") throw new Error("connection lost")
    return result
  }
  const adapterOver = (inner: Adapter, inside: boolean): Adapter =>
    new Proxy(
      around(inner, async (method, run) => pass(method, run, inside)),
      {
        get(target, name) {
          const member: unknown = Reflect.get(target, name)
          if (name !== "transaction" || typeof member !== "function") return member
          return (work: (adapter: Adapter) => Promise<unknown>) =>
            pass(
              "transaction",
              async () => inner.transaction?.((within) => atWork(adapterOver(within, true), work)),
              inside,
            )
        },
      },
    )
  async function pass(method: string, run: () => Promise<unknown>, inside: boolean): Promise<unknown> {
    if (!isRunning) return run()
    const isShut = () => !inside && door.isInTransaction
    do await turn(method)
    while (isShut())
    const at = trace.push(method) - 1
    const isTransaction = method === "transaction"
    if (isTransaction) door.isInTransaction = true
    door.underWay++
    try {
      return await failing(at, run)
    } finally {
      door.underWay--
      if (isTransaction) door.isInTransaction = false
      moves++
    }
  }
  /** The store is at work at the beginning and the end of a transaction, and in between only in the calls inside it. */
  async function atWork(adapter: Adapter, work: (adapter: Adapter) => Promise<unknown>): Promise<unknown> {
    door.underWay--
    try {
      return await work(adapter)
    } finally {
      door.underWay++
    }
  }
  async function settle(): Promise<void> {
    let [seen, still] = [moves, 0]
    while (still < quiet) {
      await new Promise((resolve) => setImmediate(resolve))
      const isMoving = moves !== seen || jobs > 0 || door.underWay > 0
      still = isMoving ? 0 : still + 1
      seen = moves
    }
  }
  return {
    trace,
    adapter: adapterOver(store, false),
    run: async (pieces) => {
      isRunning = true
      const done = Promise.allSettled(
        pieces.map(async (piece, at) => {
          try {
            await pieceOfWork.run(at, piece)
          } finally {
            ended++
            moves++
          }
        }),
      )
      while (ended < pieces.length) {
        await settle()
        queueUp()
        if (scheduler.count() > 0) await scheduler.waitNext(1)
      }
      isRunning = false
      const failed = (await done).find(({ status }) => status === "rejected")
      if (failed?.status === "rejected") throw failed.reason
    },
  }
}
