#!/usr/bin/env node
// Runs a command: `node tools/run.mjs <command>`, or `npm run <command>`.
import { prepare } from "./bootstrap.mjs"
import { adversary } from "./commands/adversary.mjs"
import { api } from "./commands/api.mjs"
import { bench } from "./commands/bench.mjs"
import { build } from "./commands/build.mjs"
import { catalogue } from "./commands/catalogue.mjs"
import { check } from "./commands/check.mjs"
import { conformance } from "./commands/conformance.mjs"
import { exec } from "./commands/exec.mjs"
import { format } from "./commands/format.mjs"
import { journeys } from "./commands/journeys.mjs"
import { matrix } from "./commands/matrix.mjs"
import { mutate } from "./commands/mutate.mjs"
import { pack } from "./commands/pack.mjs"
import { release } from "./commands/release.mjs"
import { site } from "./commands/site.mjs"
import { smoke } from "./commands/smoke.mjs"
import { start } from "./commands/start.mjs"
import { starters } from "./commands/starters.mjs"
import { test } from "./commands/test.mjs"
import { Failure } from "./shell.mjs"

/** @type {Record<string, { run: (args: string[]) => Promise<void>, does: string }>} */
const commands = {
  start: { run: start, does: "build and run the demo on http://localhost:3000" },
  test: {
    run: test,
    does: "run the tests [--all] [--rest] [--no-skips] [--write-matrix] [--frameworks-changed-since=branch] [--part=2/20] [arguments of vitest]",
  },
  matrix: { run: matrix, does: "run the attack tests and write docs/security/matrix.md" },
  conformance: { run: conformance, does: "measure every adapter and write the table in docs/evidence/adapters.md" },
  adversary: {
    run: adversary,
    does: "play random attacks, or take out fixes and expect to notice [--holes [names]]",
  },
  mutate: {
    run: mutate,
    does: "run mutation tests [crypto session signin http features/oauth …]",
  },
  check: { run: check, does: "check types, lint, format, layers, packages, docs [names of steps]" },
  build: { run: async () => build(), does: "compile and bundle everything" },
  pack: { run: pack, does: "pack every package into dist/packages/" },
  smoke: { run: smoke, does: "install the packed packages in an empty folder and use them" },
  release: { run: release, does: "prepare a release, and publish nothing --dry-run [--skip-smoke] [--out=folder]" },
  starters: {
    run: starters,
    does: "follow the guides in new applications [names] [--changed-since=branch] [--rotate=2] [--most=3] [--keep] [--record] [--write-pictures]",
  },
  journeys: { run: journeys, does: "count the files that the main requests walk through [part of a name]" },
  bench: { run: bench, does: "measure Latchkey next to other libraries" },
  api: { run: api, does: "write packages/*/api/*.api.md" },
  site: { run: site, does: "build the documentation site into dist/site/, or serve it [--dev]" },
  catalogue: { run: catalogue, does: "write the pages about all providers to dist/docs/" },
  format: { run: format, does: "format the given files, or everything" },
  exec: { run: exec, does: "run a program with the Node and pnpm of this repository, for example exec pnpm install" },
}

const [name = "", ...args] = process.argv.slice(2)
const command = commands[name]

if (command === undefined) {
  const list = Object.entries(commands).map(([key, { does }]) => `  ${key.padEnd(11)} ${does}`)
  console.error(["Usage: node tools/run.mjs <command>", "", ...list].join("\n"))
  process.exitCode = 2
} else {
  try {
    if (name !== "exec") await prepare({ dependencies: name === "start" ? "demo" : "all" })
    await command.run(args)
  } catch (error) {
    process.exitCode = 1
    console.error(error instanceof Failure ? `\n✘ ${error.message}` : error)
  }
}
