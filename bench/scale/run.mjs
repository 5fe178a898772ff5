import { readFileSync, writeFileSync } from "node:fs"
import { cpus, loadavg, totalmem } from "node:os"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { withFigures } from "./figures.mjs"
import { load, loadExpired, withClient } from "./load.mjs"
import { requestsPerRead, loadRedis } from "./memory.mjs"
import { peers } from "./peers.mjs"
import { alternate, numbersOf, read } from "./reads.mjs"
import { cpuOf, markdown } from "./report.mjs"
import { countRequests } from "./requests.mjs"
import { schemaOf } from "./rows.mjs"
import { postgresSettings, redisSettings, startServers } from "./servers.mjs"
import { pagesPerRead, sizesOf, warm } from "./sizes.mjs"
import { measureSweep } from "./sweep.mjs"

const { values: options } = parseArgs({
  options: {
    sessions: { type: "string", default: "10000,100000" },
    connections: { type: "string", default: "1,8,64" },
    rounds: { type: "string", default: "12" },
    milliseconds: { type: "string", default: "500" },
    sweep: { type: "string", default: "50000" },
    redis: { type: "string", default: "1000000" },
    only: { type: "string", default: "requests,unindexed,reads,sizes,sweep" },
    folder: { type: "string" },
    from: { type: "string" },
    report: { type: "string" },
    "load-only": { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
})
const numbers = (text) => text.split(",").map(Number)
const sizes = numbers(options.sessions).toSorted((a, b) => a - b)
const timing = { rounds: Number(options.rounds), milliseconds: Number(options.milliseconds) }
const phases = new Set(options.only.split(","))
const mostInRedis = Number(options.redis)
const say = (text) => process.stderr.write(text)

const isMeasured = ({ data, most = mostInRedis }, sessions) => data !== "redis" || sessions <= most

/** The peers whose package is there, and can read. */
async function available(world) {
  const found = []
  for (const peer of peers) {
    const reason = await probe(peer, { ...world, sessions: sizes[0], connections: 1 }).catch((error) => error)
    if (reason === undefined) found.push(peer)
    else say(`Not measured: ${peer.id} (${reason.message})\n`)
  }
  return found
}

async function probe(peer, world) {
  const { adapter, close } = await peer.open(world)
  try {
    if (peer.data !== "redis") await read(adapter, 1, world.sessions)
  } finally {
    await close()
  }
}

async function loadTables(world) {
  for (const sessions of sizes) for (const layout of ["own", "auth"]) await load(world.postgres, layout, sessions, say)
  if (phases.has("sweep")) await loadExpired(world.postgres, Number(options.sweep), say)
}

async function loadMemory(world, chosen) {
  for (const sessions of sizes)
    for (const peer of chosen.filter(({ data }) => data === "redis"))
      if (isMeasured(peer, sessions)) await loadRedis(peer, { ...world, sessions }, say)
}

const index = "sessions_session_token"
const dropIndex = (world, sessions) =>
  withClient(world.postgres, schemaOf("auth", sessions), (client) => client.query(`drop index if exists ${index}`))

const createIndex = (world, sessions) =>
  withClient(world.postgres, schemaOf("auth", sessions), async (client) => {
    await client.query(`create unique index if not exists ${index} on sessions ("sessionToken")`)
    await client.query("vacuum analyze sessions")
  })

async function cellsOf(world, chosen, connections, chosenSizes) {
  const cells = []
  for (const sessions of chosenSizes)
    for (const peer of chosen.filter((one) => isMeasured(one, sessions))) {
      const opened = await peer.open({ ...world, sessions, connections })
      cells.push({ ...opened, peer: peer.id, sessions, connections, next: numbersOf(sessions, peer.hot) })
    }
  return cells
}

async function measured(world, chosen, connections, chosenSizes, limits) {
  const cells = await cellsOf(world, chosen, connections, chosenSizes)
  for (const { adapter, sessions, peer } of cells) {
    const { hot = 0 } = chosen.find(({ id }) => id === peer)
    for (let number = 1; number <= Math.min(hot, sessions); number++) await read(adapter, number, sessions)
  }
  const found = await alternate(cells, { ...limits, pids: world.pids })
  await Promise.all(cells.map(({ close }) => close()))
  return found.map((summary, at) => {
    const { peer, sessions } = cells[at]
    say(
      `${peer} ${sessions} rows, ${connections} connections: ${summary.p50.toFixed(3)} ms, ${Math.round(summary.perSecond)}/s, ${cpuOf(summary)} of processor time\n`,
    )
    return { peer, sessions, connections, ...summary }
  })
}

/** As documented: without an index on the token, so that every read scans the table. */
async function measureUnindexed(world, chosen) {
  for (const sessions of sizes) await dropIndex(world, sessions)
  const over = chosen.filter(({ data }) => data === "auth")
  const found = []
  for (const sessions of sizes)
    found.push(...(await measured(world, over, 1, [sessions], { rounds: 2, milliseconds: 1000 })))
  return found
}

/** All sizes in one alternation, unless that takes too many connections. */
/** Keeps what an earlier run measured with other numbers of connections. */
async function measureReads(world, chosen, former) {
  for (const sessions of sizes) await createIndex(world, sessions)
  for (const sessions of sizes)
    for (const layout of ["own", "auth"]) await warm(world.postgres, schemaOf(layout, sessions))
  const found = []
  for (const connections of numbers(options.connections)) {
    const groups = connections * sizes.length * chosen.length <= 300 ? [sizes] : sizes.map((one) => [one])
    for (const group of groups) found.push(...(await measured(world, chosen, connections, group, timing)))
  }
  const measuredAgain = new Set(numbers(options.connections))
  const others = former.filter(({ connections }) => !measuredAgain.has(connections))
  return [...found, ...others].toSorted((a, b) => a.connections - b.connections)
}

async function measureSizes(world, chosen) {
  const found = []
  for (const sessions of sizes) {
    const own = { ...world, sessions }
    const tables = Object.fromEntries(
      await Promise.all(
        ["own", "auth"].map(async (layout) => [layout, await sizesOf(world.postgres, layout, sessions)]),
      ),
    )
    const pages = {}
    for (const peer of chosen.filter(({ needsRedis }) => !needsRedis)) pages[peer.id] = await pagesPerRead(peer, own)
    const redis = {}
    for (const peer of chosen.filter((one) => one.needsRedis && isMeasured(one, sessions)))
      redis[peer.id] = await redisCosts(peer, own)
    found.push({ sessions, tables, pages, redis })
  }
  return found
}

async function redisCosts(peer, world) {
  const reads = 500
  const { adapter, close } = await peer.open({ ...world, connections: 1 })
  const work = async () => {
    for (let number = 1; number <= reads; number++) await read(adapter, number, world.sessions)
  }
  await work()
  const requests = await requestsPerRead(world.redis, work, reads)
  await close()
  return peer.data === "redis" ? { requests, ...(await loadRedis(peer, world, say)) } : { requests }
}

const nothing = { runs: [], unindexed: [], reads: [], sizes: [] }

/** The folder of the data doesn't matter. */
function commandOf(args) {
  return ["node bench/scale/run.mjs", ...args].join(" ").replace(/ --(?:folder|from) \S+/g, "")
}

async function run() {
  const servers = await startServers(options.folder)
  const world = { postgres: servers.postgres, redis: servers.redis, pids: servers.pids }
  const loads = { atStart: loadavg()[0] }
  const former = options.from === undefined ? nothing : JSON.parse(readFileSync(options.from, "utf8"))
  try {
    await loadTables(world)
    const chosen = await available(world)
    await loadMemory(world, chosen)
    if (options["load-only"]) return
    const results = {
      runs: [
        ...former.runs,
        { date: new Date().toISOString(), command: commandOf(process.argv.slice(2)), load: loads },
      ],
      machine: {
        cpu: cpus()[0].model,
        cores: cpus().length,
        gigabytes: Math.round(totalmem() / 2 ** 30),
        node: process.version,
      },
      versions: await versionsOf(world),
      settings: { postgres: postgresSettings, redis: redisSettings },
      peers: Object.fromEntries(chosen.map(({ id, title }) => [id, title])),
      requests: phases.has("requests") ? await countRequests(world, chosen) : former.requests,
      unindexed: phases.has("unindexed") ? await measureUnindexed(world, chosen) : former.unindexed,
      reads: phases.has("reads") ? await measureReads(world, chosen, former.reads) : former.reads,
      sizes: phases.has("sizes") ? await measureSizes(world, chosen) : former.sizes,
      sweep: phases.has("sweep") ? await measureSweep(world.postgres, Number(options.sweep), sweepOrder) : former.sweep,
    }
    loads.average15MinutesAtEnd = loadavg()[2]
    report(results)
  } finally {
    await servers.stop()
  }
}

const sweepOrder = { connections: 8, batchSize: 1000, pauseMs: 10, milliseconds: 10_000 }

async function versionsOf(world) {
  const postgres = await withClient(world.postgres, "public", async (client) => {
    const { rows } = await client.query("show server_version")
    return rows[0].server_version
  })
  return { postgres }
}

function report(results) {
  const text = markdown(results)
  process.stdout.write(options.json ? `${JSON.stringify(results, null, 2)}\n` : text)
  if (!options.write) return
  const file = (name) => fileURLToPath(new URL(name, import.meta.url))
  const page = file("../../docs/evidence/scaling.md")
  writeFileSync(page, withFigures(readFileSync(page, "utf8"), results))
  writeFileSync(file("results.json"), `${JSON.stringify(results, null, 2)}\n`)
  writeFileSync(file("results.md"), text)
}

if (options.report === undefined) await run()
else report(JSON.parse(readFileSync(options.report, "utf8")))
