import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run } from "../shell.mjs"
import { root, shown } from "../workspace.mjs"
import { build } from "./build.mjs"
import { matrixProblems, writeMatrix } from "./matrix.mjs"

/**
 * @typedef {{ what: string, why: string }} Missing something of the machine that some tests need (tests/servers.ts)
 * @typedef {{ name: string, assertionResults: { title: string, status: string }[] }} File
 * @typedef {{ testResults: File[], numTotalTests: number, numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number }} Results
 */

/** Builds, runs vitest, and says by name what could not be tested here. @param {string[]} args */
export async function test(args) {
  const strict = args.includes("--no-skips") || ["1", "true"].includes(process.env["CI"] ?? "")
  const compare = args.includes("--write-matrix") ? writeMatrix : matrixProblems
  const passedOn = args.filter((arg) => arg !== "--no-skips" && arg !== "--write-matrix")
  const folder = mkdtempSync(join(tmpdir(), "latchkey-test-"))
  try {
    await build()
    const code = await vitest(folder, passedOn)
    const results = read(join(folder, "results.json"))
    // Any argument may leave tests out, and the attack matrix needs them all.
    const matrix = passedOn.length === 0 && results !== undefined ? compare(results.testResults, code === 0) : []
    report({ code, strict, results, missing: read(join(folder, "missing.json")), matrix })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param {string} folder @param {string[]} args */
function vitest(folder, args) {
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${join(folder, "results.json")}`]
  const env = { ...process.env, LATCHKEY_MISSING: join(folder, "missing.json") }
  return run("vitest", ["run", ...reporters, ...args], { cwd: root, env, input: "inherit" })
}

/** @param {{ code: number, strict: boolean, results: Results | undefined, missing: Missing[] | undefined, matrix: string[] }} outcome */
function report({ code, strict, results, missing = [], matrix }) {
  const { passed, failed, skipped } = count(results)
  const total = passed + failed + skipped
  printSkips(missing, results?.testResults ?? [])
  const problems = [
    {
      seen: strict && missing.length + skipped > 0,
      text: "Nothing may be skipped here (CI=true or --no-skips): bring what is named above",
    },
    { seen: total === 0, text: "No test was run: see vitest's words above" },
    {
      seen: total > 0 && failed === 0 && code !== 0,
      text: "Something failed outside of a test: see vitest's words above",
    },
    ...matrix.map((text) => ({ seen: true, text })),
  ].filter(({ seen }) => seen)
  for (const { text } of problems) console.log(`✘ ${text}`)
  console.log(`tests: ${passed} passed, ${failed} failed, ${skipped} skipped`)
  if (code !== 0 || problems.length > 0) process.exitCode = 1
}

/** @param {Missing[]} missing @param {File[]} files */
function printSkips(missing, files) {
  for (const { what, why } of missing) console.log(`skipped: ${what} (${why})`)
  for (const { name, assertionResults } of files) {
    const skipped = assertionResults.filter(({ status }) => status !== "passed" && status !== "failed").length
    if (skipped > 0) console.log(`skipped: ${skipped} in ${shown(name)}`)
  }
}

/** @param {Results | undefined} results */
function count(results) {
  if (results === undefined) return { passed: 0, failed: 0, skipped: 0 }
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests, numTodoTests } = results
  return { passed, failed, skipped: numPendingTests + numTodoTests }
}

/** @param {string} path */
function read(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined
}
