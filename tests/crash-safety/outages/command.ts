// node --import ./tests/crash-safety/sources.ts tests/crash-safety/outages/command.ts --kills 60 --ends 24
import { parseArgs } from "node:util"
import { run } from "./run.js"
import type { StoreKind } from "./stores.js"

const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "60" },
    ends: { type: "string", default: "24" },
    processes: { type: "string", default: "3" },
    visitors: { type: "string", default: "12" },
    store: { type: "string", default: "redisCache" },
  },
})
const say = (line: string) => void process.stdout.write(`${line}\n`)
const stores: readonly StoreKind[] = ["sql", "redisCache", "redisSessions"]
const store = stores.find((one) => one === values.store)
if (store === undefined) throw new Error(`--store is one of ${stores.join(", ")}`)
const report = await run({
  store,
  kills: Number(values.kills),
  ends: Number(values.ends),
  processes: Number(values.processes),
  visitors: Number(values.visitors),
  say,
})
if (report === undefined) say("Install PostgreSQL and Redis.")
for (const line of report?.lines ?? []) say(line)
for (const violation of report?.violations.slice(0, 50) ?? []) say(`✘ ${violation}`)
process.exitCode = report?.violations.length === 0 ? 0 : 1
