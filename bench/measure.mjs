/**
 * One thing to be timed.
 * @typedef {object} Task
 * @property {() => Promise<void>} check throws unless the answer is right; runs before and after the timing
 * @property {() => unknown} input made outside the clock, a new one for each run
 * @property {(input: any) => unknown} run what the clock sees
 * @property {(result: any) => boolean} accept a cheap look at every single answer
 * @property {{ ms: number }} [aside] time within `run` that is not the engine's, subtracted
 * @property {() => Promise<void>} [end]
 */

/**
 * @typedef {object} Timing
 * @property {number} us microseconds a run, the median of the rounds
 * @property {number} spread half the distance between the quartiles, as a share of the median
 * @property {number[]} rounds microseconds a run, round by round
 */

/** @param {readonly number[]} values */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const low = sorted[Math.floor(at)]
  return low + (sorted[Math.ceil(at)] - low) * (at - Math.floor(at))
}

/** @param {readonly number[]} values */
export const median = (values) => quantile(values, 0.5)

/** @param {readonly number[]} values */
export const spreadOf = (values) => (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / median(values)

/** Milliseconds that `runs` runs took the engine. */
async function sample(task, runs) {
  const inputs = Array.from({ length: runs }, task.input)
  const aside = task.aside ?? { ms: 0 }
  let refused = 0
  aside.ms = 0
  const start = performance.now()
  for (const input of inputs) if (!task.accept(await task.run(input))) refused++
  const elapsed = performance.now() - start - aside.ms
  if (refused > 0) throw new Error(`${refused} of ${runs} answers were wrong while the clock ran`)
  return elapsed
}

/** Runs until the code is compiled and the cost of a run is known. */
async function warmUp(task, ms) {
  let runs = 4
  let cost = Number.POSITIVE_INFINITY
  for (const end = performance.now() + ms; performance.now() < end; runs = Math.min(runs * 2, 1000)) {
    cost = Math.min(cost, (await sample(task, runs)) / runs)
  }
  return cost
}

/**
 * Times several tasks against each other in this process: A B C, C B A, A B C …, so that whatever the machine does
 * meanwhile falls on all of them.
 * @param {readonly Task[]} tasks
 * @returns {Promise<Timing[]>}
 */
export async function compare(tasks, { rounds = 31, sampleMs = 20, warmMs = 250 } = {}) {
  await checkAll(tasks)
  const runs = await runsPerSample(tasks, sampleMs, warmMs)
  const order = tasks.map((_, index) => index)
  const times = tasks.map(() => [])
  for (let round = 0; round < rounds; round++) {
    for (const index of order) times[index].push(((await sample(tasks[index], runs[index])) / runs[index]) * 1000)
    order.reverse()
  }
  await checkAll(tasks)
  for (const task of tasks) await task.end?.()
  return times.map((each) => ({ us: median(each), spread: spreadOf(each), rounds: each }))
}

async function checkAll(tasks) {
  for (const task of tasks) await task.check()
}

async function runsPerSample(tasks, sampleMs, warmMs) {
  const runs = []
  for (const task of tasks) runs.push(Math.min(2000, Math.max(4, Math.round(sampleMs / (await warmUp(task, warmMs))))))
  return runs
}

/**
 * How many times faster: the median over the rounds of the ratio within a round.
 * @param {Timing} slow
 * @param {Timing} fast
 */
export function ratio(slow, fast) {
  return median(slow.rounds.map((time, round) => time / fast.rounds[round]))
}
