import { expect } from "vitest"

/** Microseconds: smaller amounts of work can't be measured well, because new memory for a large text can take as long. */
const floor = 2000

/**
 * The processor time that `work` takes, in microseconds: the least of several runs. Unlike a clock, it doesn't count
 * the time in which other programs run. Stops early when a run takes less than `enough`.
 */
export async function cost(work: () => unknown, { runs = 15, enough = 0 } = {}): Promise<number> {
  let least = Number.POSITIVE_INFINITY
  for (let run = 0; run < runs && least >= enough; run++) {
    const start = process.cpuUsage()
    await work()
    const { user, system } = process.cpuUsage(start)
    least = Math.min(least, user + system)
  }
  return least
}

/**
 * Expects the cost to grow with the size and not with its square. From one size to the next, four times as large, it
 * may grow by a factor of 12, because memory gets slower; the square would be a factor of 16.
 */
export async function expectLinear(work: (size: number) => () => unknown, sizes: readonly number[]): Promise<void> {
  let before = floor
  for (const size of sizes) {
    const limit = 12 * Math.max(before, floor)
    const now = await cost(work(size), { runs: 30, enough: limit })
    expect(now, `microseconds for size ${size}, after ${before} for a quarter of it`).toBeLessThan(limit)
    before = now
  }
}
