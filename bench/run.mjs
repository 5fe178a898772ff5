import { fork } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { pages } from "./charts.mjs"
import { coldStarts } from "./cold-start.mjs"
import { heapOf } from "./heap.mjs"
import { bundles } from "./peers/better-auth.mjs"
import { loadPeers } from "./peers/engine.mjs"
import { startPostgres } from "./postgres.mjs"
import { coldRow, flatRow, heapRow, markdown, sizeRows, table, timingRow } from "./report.mjs"
import { scenarios } from "./scenarios/index.mjs"
import { sizeOf } from "./sizes.mjs"

const here = (file) => fileURLToPath(new URL(file, import.meta.url))
const { values: options } = parseArgs({
  options: {
    only: { type: "string", multiple: true },
    json: { type: "boolean" },
    write: { type: "boolean" },
    list: { type: "boolean" },
    full: { type: "boolean" },
  },
})
const slow = ["sizes", "cold-start"]
const ids = [...scenarios.map(({ id }) => id), "heap", ...slow]
const wanted =
  options.only?.flatMap((names) => names.split(",")) ?? ids.filter((id) => options.full || !slow.includes(id))
const say = (text) => options.json || process.stderr.write(text)

/** Times one scenario in a new process. */
function timed(id, url) {
  return new Promise((resolve, reject) => {
    const child = fork(here("child.mjs"), [id, options.full ? "all" : "few", ...(url ? [url] : [])])
    let timings
    child.once("message", (message) => (timings = message))
    child.once("exit", (code) =>
      code === 0 && timings ? resolve(timings) : reject(new Error(`The scenario ${id} failed. See the error above.`)),
    )
  })
}

async function timeScenarios(chosen) {
  const postgres = chosen.some(({ id }) => id.startsWith("database-postgres")) ? await startPostgres() : undefined
  const stop = () => void postgres?.stop().then(() => process.exit(130))
  process.once("SIGINT", stop)
  try {
    const rows = []
    for (const scenario of chosen) {
      say(`· ${scenario.id}\n`)
      const timings = await timed(scenario.id, postgres?.url)
      rows.push(scenario.flatness === undefined ? timingRow(scenario, timings) : flatRow(scenario, timings))
    }
    return rows
  } finally {
    process.removeListener("SIGINT", stop)
    await postgres?.stop()
  }
}

async function measureHeap({ latchkey }) {
  say("· heap\n")
  return heapRow({
    latchkey: latchkey && (await heapOf("latchkey")),
    limit: await heapOf("limit"),
    authCore: await heapOf("authCore"),
    betterAuth: options.full && (await heapOf("betterAuth")),
  })
}

async function measureSizes({ latchkey, authCore }) {
  say("· sizes\n")
  const own = latchkey?.bundles
  const check = {
    latchkey: own && (await sizeOf(own.sessionCheck)),
    authCore: await sizeOf(authCore.bundles.sessionCheck),
  }
  const server = own && { latchkey: await sizeOf(own.serverSession) }
  const engine = {
    latchkey: own && (await sizeOf(own.engine)),
    authCore: await sizeOf(authCore.bundles.engine),
    betterAuth: await sizeOf(bundles.engine),
  }
  return sizeRows({ check, server, engine })
}

async function measureColdStart({ latchkey, authCore }) {
  say("· cold-start\n")
  return coldRow(await coldStarts({ ...(latchkey && { latchkey }), authCore }))
}

const processWide = [
  ["heap", measureHeap],
  ["sizes", measureSizes],
  ["cold-start", measureColdStart],
]

/** The page has a few of the rows; the results have all of them. */
function write(rows) {
  if (options.only === undefined) writeFileSync(here("results.md"), markdown(rows))
  const page = readFileSync(here("../docs/performance.md"), "utf8")
  for (const [path, text] of Object.entries(pages(rows, page))) writeFileSync(here(`../docs/${path}`), text)
}

async function main() {
  const unknown = wanted.filter((id) => !ids.includes(id))
  if (options.list || unknown.length > 0) {
    process.stdout.write(`Scenarios: ${ids.join(" ")}\n`)
    return unknown.length > 0 ? 1 : 0
  }
  const peers = await loadPeers()
  if (peers.latchkey === undefined)
    say("Latchkey isn't built, so only the other libraries are measured. Run `npm run build` first.\n")
  const rows = await timeScenarios(scenarios.filter(({ id }) => wanted.includes(id)))
  for (const [id, measure] of processWide) if (wanted.includes(id)) rows.push(...[await measure(peers)].flat())
  process.stdout.write(options.json ? `${JSON.stringify(rows, null, 2)}\n` : table(rows))
  if (options.write) write(rows)
  return rows.some(({ pass }) => pass === false) ? 1 : 0
}

process.exitCode = await main()
