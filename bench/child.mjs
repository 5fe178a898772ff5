import { fakeProvider } from "./fake-provider.mjs"
import { compare } from "./measure.mjs"
import { loadPeers } from "./peers/engine.mjs"
import { poolOf } from "./postgres.mjs"
import { scenarios } from "./scenarios/index.mjs"

/*
 * Runs one scenario in its own process, so that it doesn't inherit compiled code or a heap from another one.
 * node child.mjs <scenario> <"all" or "few"> [URL of PostgreSQL]
 */
const [id, peers, url] = process.argv.slice(2)
const scenario = scenarios.find((each) => each.id === id)
const { latchkey, limit, authCore } = await loadPeers()
const world = { provider: fakeProvider(), pool: url && ((schema) => poolOf(url, schema.toLowerCase())) }

/** @returns {Promise<{ peer: string, count?: number, task: import("./measure.mjs").Task }[]>} */
async function lines() {
  const found = []
  for (const engine of [latchkey, limit, authCore].filter(Boolean)) {
    const tasks = scenario.tasks ? await scenario.tasks(engine) : [await scenario.task(engine, world)]
    tasks.forEach((task, index) => task && found.push({ peer: engine.name, count: scenario.counts?.[index], task }))
  }
  return peers === "all" ? [...found, ...(await others())] : found
}

/** Libraries with another interface, where they have a counterpart. */
async function others() {
  const { betterAuthTasks } = await import("./peers/better-auth.mjs")
  const { ironSessionTasks } = await import("./peers/iron-session.mjs")
  const made = [
    { peer: "better-auth", task: await betterAuthTasks[id]?.task(world) },
    { peer: "iron-session", task: await ironSessionTasks[id]?.task() },
  ]
  return made.filter(({ task }) => task !== undefined)
}

const found = await lines()
const timings = await compare(found.map(({ task }) => task))
process.send?.(timings.map((timing, index) => ({ peer: found[index].peer, count: found[index].count, ...timing })))
process.disconnect?.()
