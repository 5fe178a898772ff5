/** Too many passwords are being hashed already. */
export class Busy extends Error {
  override readonly name = "Busy"
}

export interface GateOptions {
  /** How many run at once. */
  readonly parallel: number
  /** How many more wait. */
  readonly waiting: number
}

/**
 * Lets a few hashes run at once, and a few more wait. Each takes up to 32 MiB, so without a bound, 1,000 sign-ins at once would take
 * 32 GiB.
 */
export function createGate({ parallel, waiting }: GateOptions): <T>(work: () => Promise<T>) => Promise<T> {
  const queue: (() => void)[] = []
  let running = 0
  /** A place is passed on to the next one, so that none who comes later gets it. */
  const leave = () => {
    const next = queue.shift()
    if (next === undefined) running -= 1
    else next()
  }
  return async (work) => {
    if (running < parallel) running += 1
    else if (queue.length >= waiting) throw new Busy("Too many passwords are being hashed. Try again in a few seconds")
    else await new Promise<void>((resolve) => queue.push(resolve))
    try {
      return await work()
    } finally {
      leave()
    }
  }
}
