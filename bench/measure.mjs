import { Bench } from "tinybench"

/**
 * One thing to time.
 * @typedef {object} Task
 * @property {() => Promise<void>} check throws unless the answer is right; called before and after the timing
 * @property {() => unknown} input makes the argument of `run`, for every run and outside the timing
 * @property {(input: any) => unknown} run
 * @property {(result: any) => boolean} accept a cheap check of every single answer
 * @property {{ ms: number }} [aside] time within `run` to subtract, because it isn't the engine's
 * @property {() => Promise<void>} [end]
 */

/**
 * @typedef {object} Timing
 * @property {number} us microseconds per run, the median of the rounds
 * @property {number} spread half the interquartile range, as a share of the median
 * @property {number[]} rounds microseconds per run, for each round
 */

/** @param {readonly number[]} values @param {number} share */
function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const low = sorted[Math.floor(at)]
  return low + (sorted[Math.ceil(at)] - low) * (at - Math.floor(at))
}

/** @param {readonly number[]} values */
export const median = (values) => quantile(values, 0.5)

/** @param {readonly number[]} values */
export const spreadOf = (values) => (quantile(values, 0.75) - quantile(values, 0.25)) / 2 / median(values)

/**
 * Times tasks against each other in this process. tinybench runs one task after another, so this runs it once per round
 * and reverses the order each time (A B C, C B A, …). Other load on the machine then affects all tasks alike.
 * @param {readonly Task[]} tasks
 * @returns {Promise<Timing[]>}
 */
export async function compare(tasks, { rounds = 25, roundMs = 20, warmMs = 250 } = {}) {
  await checkAll(tasks)
  await timeRound(tasks, warmMs)
  const times = tasks.map(() => [])
  for (let round = 0; round < rounds; round++) {
    const order = tasks.map((_, index) => (round % 2 === 0 ? index : tasks.length - 1 - index))
    const means = await timeRound(
      order.map((index) => tasks[index]),
      roundMs,
    )
    for (const [place, index] of order.entries()) times[index].push(means[place])
  }
  await checkAll(tasks)
  for (const task of tasks) await task.end?.()
  return times.map((each) => ({ us: median(each), spread: spreadOf(each), rounds: each }))
}

/** @param {readonly Task[]} tasks */
async function checkAll(tasks) {
  for (const task of tasks) await task.check()
}

/** @param {readonly Task[]} tasks @param {number} ms for each task @returns {Promise<number[]>} mean microseconds per run */
async function timeRound(tasks, ms) {
  const bench = new Bench({ time: ms, iterations: 4, warmup: false, throws: true })
  for (const [index, task] of tasks.entries()) add(bench, `${index}`, task)
  await bench.run()
  return bench.tasks.map(({ result }) => result.latency.mean * 1000)
}

/** @param {Bench} bench @param {string} name @param {Task} task */
function add(bench, name, { input, run, accept, aside }) {
  let argument
  const timed = async () => {
    const start = aside && bench.now()
    if (!accept(await run(argument))) throw new Error("An answer was wrong during the timing")
    return aside && { overriddenDuration: bench.now() - start - aside.ms }
  }
  const beforeEach = () => {
    argument = input()
    if (aside) aside.ms = 0
  }
  bench.add(name, timed, { async: true, beforeEach })
}

/**
 * How many times as long: the median over the rounds of the ratio within a round.
 * @param {Timing} slow
 * @param {Timing} fast
 */
export function ratio(slow, fast) {
  return median(slow.rounds.map((time, round) => time / fast.rounds[round]))
}

/**
 * The same work for several requests at once, as a server has them.
 * @param {Task} task
 * @param {number} count
 * @returns {Task}
 */
export function inFlight(task, count) {
  return {
    ...task,
    input: () => Array.from({ length: count }, task.input),
    run: (inputs) => Promise.all(inputs.map((input) => task.run(input))),
    accept: (results) => results.every((result) => task.accept(result)),
  }
}
