import { within } from "./runtime.js"

/** What hangs must not keep the others waiting for ever. Milliseconds. */
const patience = 10_000

/** Runs `work` when all earlier work on the same thing is done, well or not. */
export type TakeTurns = <T>(what: string, work: () => Promise<T>) => Promise<T>

/** A queue for each thing, in the memory of this process. */
export function turns(): TakeTurns {
  const queues = new Map<string, Promise<unknown>>()
  return async (what, work) => {
    const earlier = queues.get(what)
    const mine = earlier === undefined ? work() : within(patience, earlier, () => undefined).then(work)
    const settled = mine.catch(() => undefined)
    queues.set(what, settled)
    try {
      return await mine
    } finally {
      if (queues.get(what) === settled) queues.delete(what)
    }
  }
}
