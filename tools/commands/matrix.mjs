import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { matrixOf, outcomesIn, problemsIn } from "../matrix.mjs"
import { Failure, run } from "../shell.mjs"
import { filesBelow, root, shown } from "../workspace.mjs"

/** @typedef {import("../matrix.mjs").TestFile} TestFile */

const page = join(root, "docs", "security", "matrix.md")

/** Runs the tests of the attack matrix, on sources, and writes docs/security/matrix.md from what they say. */
export async function matrix() {
  const files = attackTests()
  if (files.length === 0) throw new Failure("No test is registered with tests/attack.ts: write one first")
  const { code, results } = await runTests(files)
  const problems = writeMatrix(results, code === 0)
  if (problems.length > 0) throw new Failure(problems.join("\n"))
  if (code !== 0)
    throw new Failure("Not everything passed: see vitest's words above, correct it and write the page again")
}

/**
 * Writes the page; what is wrong with the matrix all the same.
 * @param {readonly TestFile[]} results
 * @param {boolean} passed
 */
export function writeMatrix(results, passed) {
  const [cases, outcomes] = [readCases(), outcomesIn(results, shown)]
  const document = matrixOf(cases, outcomes)
  writeFileSync(page, document)
  console.log(`Written: ${shown(page)}`)
  return problemsIn({ cases, outcomes, document, passed })
}

/**
 * What is wrong with the matrix after a whole run of the tests.
 * @param {readonly TestFile[]} results
 * @param {boolean} passed
 */
export function matrixProblems(results, passed) {
  const document = existsSync(page) ? readFileSync(page, "utf8") : undefined
  return problemsIn({ cases: readCases(), outcomes: outcomesIn(results, shown), document, passed })
}

/** @returns {import("../matrix.mjs").Case[]} */
function readCases() {
  return JSON.parse(readFileSync(join(root, "docs", "security", "cases.json"), "utf8"))
}

/** From the root, with slashes, as vitest takes them. */
function attackTests() {
  return ["packages", "examples", "tests"]
    .flatMap((folder) => filesBelow(join(root, folder)))
    .filter((path) => path.endsWith(".test.ts") && [path, ...casesOf(path)].some(registers))
    .map(shown)
}

/** @param {string} path */
function registers(path) {
  return /\b(?:attack|strictAttack)\(/.test(readFileSync(path, "utf8"))
}

/** Files beside a test that hold what several tests share. @param {string} path */
function casesOf(path) {
  return [...readFileSync(path, "utf8").matchAll(/"(\.\/(?:[^"\n]*\/)?cases\/[^"\n]+)\.js"/g)].map(([, specifier]) =>
    join(dirname(path), `${specifier}.ts`),
  )
}

/** @param {string[]} files @returns {Promise<{ code: number, results: TestFile[] }>} */
async function runTests(files) {
  const folder = mkdtempSync(join(tmpdir(), "latchkey-matrix-"))
  const output = join(folder, "results.json")
  try {
    const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${output}`]
    const code = await run("vitest", ["run", ...reporters, ...files], { cwd: root })
    if (!existsSync(output)) throw new Failure("vitest wrote no results: see its words above")
    return { code, results: JSON.parse(readFileSync(output, "utf8")).testResults }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
