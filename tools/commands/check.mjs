import { existsSync } from "node:fs"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { compareReports } from "../checks/api-report.mjs"
import { checkConformance } from "../checks/conformance.mjs"
import { checkDependencies } from "../checks/dependencies.mjs"
import { checkJourneys } from "../checks/journeys.mjs"
import { checkLimits } from "../checks/limits.mjs"
import { checkPublishing } from "../checks/publishing.mjs"
import { checkReferences } from "../checks/references.mjs"
import { checkSnippets } from "../checks/snippets.mjs"
import { checkSecurityModel } from "../checks/security-model.mjs"
import { checkSpecification } from "../checks/specification.mjs"
import { checkTypes } from "../checks/types.mjs"
import { checkUnused } from "../checks/unused.mjs"
import { checkSpelling, checkWords } from "../checks/words.mjs"
import { capture, Failure, must, seconds } from "../shell.mjs"
import { root } from "../workspace.mjs"

/** Quick and basic steps first: a later step assumes that the earlier ones pass. @type {Record<string, () => Promise<void>>} */
const steps = {
  types: checkTypes,
  lint: () => must("oxlint", ["--type-aware", "--deny-warnings"], { cwd: root, advice: "Fix the problems above." }),
  format: checkFormat,
  layers: checkDependencies,
  journeys: checkJourneys,
  unused: checkUnused,
  words: checkWords,
  spelling: checkSpelling,
  changesets: checkChangesets,
  limits: checkLimits,
  references: checkReferences,
  specification: checkSpecification,
  conformance: checkConformance,
  invariants: checkSecurityModel,
  api: checkReports,
  snippets: checkSnippets,
  publishing: checkPublishing,
}

/** Runs the named steps, or all. A failure doesn't stop the rest. @param {string[]} names */
export async function check(names) {
  const unknown = names.filter((name) => !(name in steps))
  if (unknown.length > 0) {
    throw new Failure(`There is no step ${unknown.join(", ")}. The steps are ${Object.keys(steps).join(", ")}.`)
  }
  const wanted = lacksGeneratedTypes(names) ? ["types", ...names] : names
  const chosen = Object.entries(steps).filter(([name]) => wanted.length === 0 || wanted.includes(name))
  /** @type {string[]} */
  const failed = []
  for (const [name, step] of chosen) {
    const since = performance.now()
    const passed = await step().then(() => true, explain)
    console.log(`${passed ? "✔" : "✘"} ${name} (${seconds(since)})`)
    if (!passed) failed.push(name)
  }
  if (failed.length > 0) throw new Failure(`Failed: ${failed.join(", ")}`)
}

/** `lint` and `unused` read the types that frameworks generate from the routes of the examples. @param {string[]} names */
function lacksGeneratedTypes(names) {
  const isGenerated = existsSync(join(root, "examples", "sveltekit", ".svelte-kit"))
  return !isGenerated && (names.includes("lint") || names.includes("unused"))
}

async function checkFormat() {
  const { code, output } = await capture("biome", ["format", "--max-diagnostics=none", "."], { cwd: root })
  if (code === 0) return
  const files = [...output.matchAll(/^(\S+) (?:format|parse) ━/gm)].map(([, path]) => path)
  throw new Failure(`Not formatted. Run \`npm run format\`.\n  ${files.join("\n  ")}`)
}

async function checkChangesets() {
  const { code, output } = await capture("changeset", ["status"], { cwd: root })
  if (code !== 0) throw new Failure(output.trim())
}

async function checkReports() {
  const changed = await compareReports({ write: false })
  if (changed.length === 0) return
  throw new Failure(`The public API changed. Run \`npm run api\` and review the difference.\n  ${changed.join("\n  ")}`)
}

/** @param {unknown} error */
function explain(error) {
  console.error(error instanceof Failure ? error.message : error)
  return false
}
