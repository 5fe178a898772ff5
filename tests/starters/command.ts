// `npm run starters` runs it: see README.md.
import { parseArgs } from "node:util"
import { type Browser, chromium } from "playwright-core"
import { drawing } from "../pages/drawing.js"
import { chromium as program } from "../servers/chromium.js"
import { record, withGuide, withInit } from "./application.js"
import { type Application, choose } from "./choose.js"
import { run } from "./run.js"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    keep: { type: "boolean", default: false },
    record: { type: "boolean", default: false },
    "write-pictures": { type: "boolean", default: false },
    "changed-since": { type: "string" },
    rotate: { type: "string" },
    most: { type: "string" },
  },
})
const ways = { guide: withGuide, init: withInit }

const chosen = await choose({
  names: positionals,
  changedSince: values["changed-since"],
  rotate: numberIn(values.rotate),
  most: numberIn(values.most),
})
if (values.record) for (const { starter } of chosen) await record(starter)
else process.exitCode = (await tryAll()) ? 0 : 1

async function tryAll(): Promise<boolean> {
  const found = await program.find()
  const browser = found && (await chromium.launch({ executablePath: found.value, ...drawing }))
  if (browser === undefined) say("Without Chromium, pages are only opened over HTTP.")
  const results: boolean[] = []
  for (const application of chosen) results.push(await hasPassed(application, browser))
  await browser?.close()
  const failed = results.filter((isPassed) => !isPassed).length
  say(`starters: ${results.length - failed} passed, ${failed} failed`)
  return failed === 0
}

function numberIn(text: string | undefined): number | undefined {
  return text === undefined ? undefined : Number(text)
}

async function hasPassed({ starter, way }: Application, browser: Browser | undefined): Promise<boolean> {
  say(`${starter.id}:${way}  ${starter.create.join(" ")}`)
  const { start, visit } = way === "init" ? { ...starter, ...starter.init } : starter
  const log = (step: string, milliseconds: number) => say(`  ${step}: ${(milliseconds / 1000).toFixed(1)} s`)
  const failures = await run({
    starter: { ...starter, visit },
    make: ways[way],
    start,
    chromium: browser,
    keep: values.keep,
    writesPictures: values["write-pictures"],
    log,
  })
  for (const failure of failures) say(`  ✘ ${failure.trimEnd().replaceAll("\n", "\n    ")}`)
  return failures.length === 0
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
