import { AsyncLocalStorage } from "node:async_hooks"
import type { Adapter } from "@latchkey/core/adapters"
import type { Scheduler } from "fast-check"
import { around } from "./faulty.js"
import type { History } from "./history.js"

/**
 * Lets several pieces of work use one store, one call at a time, in an order that `scheduler` draws. The next call
 * passes only when every piece of work has ended or waits, for the store or for another piece.
 */
export interface Interleaving {
  /** The store as the pieces of work see it. Calls outside of `run` pass at once. */
  readonly adapter: Adapter
  /** Runs all pieces, and resolves when they have ended. */
  run(pieces: readonly (() => Promise<unknown>)[]): Promise<void>
  /** The calls in the order in which they passed. */
  readonly trace: readonly string[]
}

/** After so many turns of the event loop without a move, all pieces of work wait. */
const quiet = 20

/** Jobs that Web Crypto runs on other threads. The next call waits for them, so their duration can't change the order. */
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

/** The piece of work that a call belongs to. */
const pieceOfWork = new AsyncLocalStorage<number>()

export function interleaving(store: Adapter, scheduler: Scheduler, faults: History["faults"]): Interleaving {
  const trace: string[] = []
  let arrivals: Arrival[] = []
  let [isRunning, ended, moves] = [false, 0, 0]
  /** A transaction excludes all other calls, as with the single connection of SQLite. */
  const door = { isInTransaction: false, underWay: 0 }

  const turn = async (method: string): Promise<void> => {
    const piece = pieceOfWork.getStore() ?? 0
    moves++
    await new Promise<void>((enter) => arrivals.push({ piece, method, enter }))
    moves++
  }
  /** Sorted by piece, because the order of arrival depends on how busy the machine is. */
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
  /** A transaction counts as under way while it begins and ends. In between, the calls inside it count. */
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
