import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import pg from "pg"
import { withClient } from "./load.mjs"
import { postgresAdapter } from "./peers.mjs"
import { read, readFor, summaryOf } from "./reads.mjs"

/** Deletes expired rows, and reads sessions before and meanwhile. */
export async function measureSweep(url, expired, { connections, batchSize, pauseMs, milliseconds }) {
  const pool = new pg.Pool({ connectionString: url, max: connections, options: "-c search_path=sweep" })
  const adapter = await postgresAdapter({ pool })
  const sessions = expired + expired / 5
  // Every sixth session is valid.
  const next = () => 6 * (1 + Math.floor(Math.random() * (sessions / 6 - 1)))
  const cell = { adapter, sessions, connections, next }
  await readFor(milliseconds / 5, cell)
  const before = summaryOf(await readFor(milliseconds, cell))
  const work = sweeping({ url, batchSize, pauseMs })
  const during = summaryOf(await readUntil(work, cell))
  const swept = await work
  await adapter.close()
  const left = await countOf(url)
  if (swept.deleted.sessions !== expired || left !== expired / 5)
    throw new Error(`The sweep deleted ${swept.deleted.sessions} rows and left ${left}`)
  return { expired, batchSize, pauseMs, connections, before, during, ...swept }
}

function sweeping(order) {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(new URL("sweeper.mjs", import.meta.url)))
    child.once("message", resolve)
    child.once("exit", (code) => code !== 0 && reject(new Error("The sweep failed. See the error above.")))
    child.send(order)
  })
}

async function readUntil(work, { adapter, sessions, connections, next }) {
  const done = new AbortController()
  const times = []
  const start = performance.now()
  const loop = async () => {
    while (!done.signal.aborted) times.push(await read(adapter, next(), sessions))
  }
  const loops = Promise.all(Array.from({ length: connections }, loop))
  await work.finally(() => done.abort())
  await loops
  return { times, seconds: (performance.now() - start) / 1000 }
}

function countOf(url) {
  return withClient(url, "sweep", async (client) => {
    const { rows } = await client.query("select count(*)::int as count from sessions")
    return rows[0].count
  })
}
