import { performance } from "node:perf_hooks"
import { compareReports } from "../checks/api-report.mjs"
import { checkChangesets } from "../checks/changesets.mjs"
import { checkDependencies } from "../checks/dependencies.mjs"
import { checkPublishing } from "../checks/publishing.mjs"
import { reportSizes } from "../checks/sizes.mjs"
import { checkSnippets } from "../checks/snippets.mjs"
import { checkSpecification } from "../checks/specification.mjs"
import { checkTypes } from "../checks/types.mjs"
import { checkWords } from "../checks/words.mjs"
import { checkWorld } from "../checks/world.mjs"
import { capture, Failure, must, seconds } from "../shell.mjs"
import { root } from "../workspace.mjs"

/** In the order of how much the later ones depend on the earlier. @type {Record<string, () => Promise<void>>} */
const steps = {
  types: checkTypes,
  lint: () => must("oxlint", ["--type-aware", "--deny-warnings"], { cwd: root, advice: "correct what it names" }),
  format: checkFormat,
  layers: checkDependencies,
  world: checkWorld,
  words: checkWords,
  sizes: reportSizes,
  changesets: checkChangesets,
  specification: checkSpecification,
  api: checkReports,
  snippets: checkSnippets,
  publishing: checkPublishing,
}

/** Runs every step, or those named, and goes on after a failure so that all is known at once. @param {string[]} names */
export async function check(names) {
  const unknown = names.filter((name) => !(name in steps))
  if (unknown.length > 0)
    throw new Failure(`No such step: ${unknown.join(", ")}; there are ${Object.keys(steps).join(", ")}`)
  /** @type {string[]} */
  const failed = []
  for (const [name, step] of Object.entries(steps)) {
    if (names.length > 0 && !names.includes(name)) continue
    const since = performance.now()
    const passed = await step().then(() => true, explain)
    console.log(`${passed ? "✔" : "✘"} ${name} (${seconds(since)})`)
    if (!passed) failed.push(name)
  }
  if (failed.length > 0) throw new Failure(`Failed: ${failed.join(", ")}`)
}

async function checkFormat() {
  const { code, output } = await capture("biome", ["format", "--max-diagnostics=none", "."], { cwd: root })
  if (code === 0) return
  const files = [...output.matchAll(/^(\S+) (?:format|parse) ━/gm)].map(([, path]) => path)
  throw new Failure(`Not formatted: run \`npm run format\`\n  ${files.join("\n  ")}`)
}

async function checkReports() {
  const changed = await compareReports({ write: false })
  if (changed.length === 0) return
  throw new Failure(
    `The public API changed: run \`node tools/run.mjs api\` and look at the difference\n  ${changed.join("\n  ")}`,
  )
}

/** @param {unknown} error */
function explain(error) {
  console.error(error instanceof Failure ? error.message : error)
  return false
}
