import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { run } from "../shell.mjs"
import { root } from "../workspace.mjs"
import { build } from "./build.mjs"

/**
 * @typedef {{ what: string, why: string }} Missing something of the machine that some tests need (tests/servers.ts)
 * @typedef {{ numTotalTests: number, numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number }} Results
 */

/** Builds, runs vitest, and says by name what could not be tested here. @param {string[]} args */
export async function test(args) {
  const strict = args.includes("--no-skips") || ["1", "true"].includes(process.env["CI"] ?? "")
  const folder = mkdtempSync(join(tmpdir(), "latchkey-test-"))
  try {
    await build()
    const code = await vitest(folder, args.filter((arg) => arg !== "--no-skips"))
    report({ code, strict, results: read(join(folder, "results.json")), missing: read(join(folder, "missing.json")) })
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

/** @param {{ code: number, strict: boolean, results: Results | undefined, missing: Missing[] | undefined }} outcome */
function report({ code, strict, results, missing = [] }) {
  for (const { what, why } of missing) console.log(`skipped: ${what} (${why})`)
  const counts = {
    passed: results?.numPassedTests ?? 0,
    failed: results?.numFailedTests ?? 0,
    skipped: (results?.numPendingTests ?? 0) + (results?.numTodoTests ?? 0),
  }
  const total = counts.passed + counts.failed + counts.skipped
  const unwanted = strict && (missing.length > 0 || counts.skipped > 0)
  if (unwanted) console.log("✘ Nothing may be skipped in this run (CI=true or --no-skips): bring what is named above")
  if (total === 0) console.log("✘ No test was run: see vitest's words above")
  else if (code !== 0 && counts.failed === 0) console.log("✘ Something failed outside of a test: see vitest's words above")
  console.log(`tests: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  if (code !== 0 || total === 0 || unwanted) process.exitCode = 1
}

/** @param {string} path */
function read(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined
}
