import { fork } from "node:child_process"
import { setImmediate as turn } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { PerformanceObserver } from "node:perf_hooks"
import { median } from "./measure.mjs"

/*
 * Measures how many bytes one session read allocates. The young generation is so large that usually no garbage collection
 * runs during a series of reads. The growth of the heap is then everything that was allocated, garbage included. A series
 * with a collection is discarded. Memory outside the heap (buffers) is added.
 */
const self = fileURLToPath(import.meta.url)
const reads = 100
const flags = ["--expose-gc", "--min-semi-space-size=256", "--max-semi-space-size=256", "--no-incremental-marking"]

async function series(task, collections) {
  const inputs = Array.from({ length: reads }, task.input)
  globalThis.gc()
  await turn()
  collections.takeRecords()
  const before = process.memoryUsage()
  for (const input of inputs) await task.run(input)
  const after = process.memoryUsage()
  await turn()
  if (collections.takeRecords().length > 0) return undefined
  return (after.heapUsed - before.heapUsed + after.external - before.external) / reads
}

async function bytesPerRead(task) {
  await task.check()
  for (let run = 0; run < 1500; run++) await task.run(task.input())
  const collections = new PerformanceObserver(() => {})
  collections.observe({ entryTypes: ["gc"] })
  const found = []
  for (let tries = 0; found.length < 7 && tries < 30; tries++) {
    const bytes = await series(task, collections)
    if (bytes !== undefined) found.push(bytes)
  }
  if (found.length === 0)
    throw new Error("The garbage collector ran in every series. Increase --min-semi-space-size in bench/heap.mjs.")
  return median(found)
}

/** Measures in a new process. @returns {Promise<number | undefined>} bytes per read */
export function heapOf(peer) {
  return new Promise((resolve, reject) => {
    const child = fork(self, [peer], { execArgv: flags })
    let bytes
    child.once("message", (message) => (bytes = message))
    child.once("exit", (code) =>
      code === 0 ? resolve(bytes) : reject(new Error(`Could not measure the heap of ${peer}. See the error above.`)),
    )
  })
}

async function taskOf(peer) {
  const [{ loadPeers }, { readTask }, { betterAuthTasks }] = await Promise.all(
    ["./peers/engine.mjs", "./scenarios/session.mjs", "./peers/better-auth.mjs"].map((file) => import(file)),
  )
  if (peer === "betterAuth") return betterAuthTasks["session-read"].task()
  return readTask((await loadPeers())[peer])
}

if (process.argv[1] === self) {
  process.send(await bytesPerRead(await taskOf(process.argv[2])))
  process.disconnect()
}
