import assert from "node:assert/strict"
import { processorTimes } from "./cpu.mjs"
import { emailOf, tokenOf, userOf, usersFor } from "./rows.mjs"

/** A random row, or one of the first `hot`. */
export function numbersOf(sessions, hot = sessions) {
  const most = Math.min(sessions, hot)
  return () => 1 + Math.floor(Math.random() * most)
}

/** Reads one session and checks whose it is. @returns {Promise<number>} milliseconds */
export async function read(adapter, number, sessions) {
  const token = tokenOf(number)
  const start = performance.now()
  const found = await adapter.getSessionAndUser(token)
  const time = performance.now() - start
  assert.equal(found?.user.email, emailOf(userOf(number, usersFor(sessions))), "The wrong session was read")
  return time
}

/**
 * Reads with as many loops as there are connections, each of which waits for its response before it sends the next request.
 * @returns {Promise<{ times: number[], seconds: number }>} milliseconds of each read
 */
export async function readFor(milliseconds, { adapter, sessions, connections, next }) {
  const times = []
  const start = performance.now()
  const loop = async () => {
    while (performance.now() - start < milliseconds) times.push(await read(adapter, next(), sessions))
  }
  await Promise.all(Array.from({ length: connections }, loop))
  return { times, seconds: (performance.now() - start) / 1000 }
}

/**
 * Measures cells in alternating order, so that other load on the machine affects all of them. The first round is longer and isn't counted: connections learn the statements.
 * @param {readonly { adapter: object, sessions: number, connections: number, next: () => number }[]} cells
 */
export async function alternate(cells, { rounds, milliseconds, pids }) {
  const results = cells.map(() => ({ times: [], seconds: 0, cpu: {} }))
  for (let round = 0; round <= rounds; round++) {
    const order = cells.map((_, at) => (round % 2 === 0 ? at : cells.length - 1 - at))
    for (const at of order) {
      const before = processorTimes(pids)
      const { times, seconds } = await readFor(round === 0 ? 4 * milliseconds : milliseconds, cells[at])
      if (round === 0) continue
      for (const [name, time] of Object.entries(processorTimes(pids)))
        results[at].cpu[name] = (results[at].cpu[name] ?? 0) + time - before[name]
      for (const time of times) results[at].times.push(time)
      results[at].seconds += seconds
    }
  }
  return results.map(summaryOf)
}

/** @returns times in milliseconds, and the processor time of a read in microseconds */
export function summaryOf({ times, seconds, cpu = {} }) {
  const sorted = Float64Array.from(times).toSorted()
  const perRead = Object.fromEntries(Object.entries(cpu).map(([name, time]) => [name, time / sorted.length]))
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return {
    reads: sorted.length,
    p50: at(0.5),
    p99: at(0.99),
    most: sorted.at(-1),
    perSecond: sorted.length / seconds,
    cpu: perRead,
  }
}
