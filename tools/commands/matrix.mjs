import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { matrixOf, outcomesIn, problemsIn } from "../matrix.mjs"
import { filesBelow, root, shown } from "../workspace.mjs"
import { test } from "./test.mjs"

/** @typedef {import("../matrix.mjs").TestFile} TestFile */

const page = join(root, "docs", "security", "matrix.md")

/** Runs the tests of the attack matrix. tools/reporter.mjs writes docs/security/matrix.md from the results. */
export async function matrix() {
  await test(["--write-matrix", ...attackTests()])
}

/**
 * Writes the page, and lists what is wrong with the matrix.
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
 * Lists what is wrong with the matrix after a run of all its tests.
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

/** Paths relative to the root, with slashes, as vitest takes them. @returns {string[]} */
export function attackTests() {
  return ["packages", "examples", "tests"]
    .flatMap((folder) => filesBelow(join(root, folder)))
    .filter(
      (path) =>
        path.endsWith(".test.ts") && !path.endsWith(".long.test.ts") && [path, ...casesOf(path)].some(registers),
    )
    .map(shown)
}

/** @param {string} path */
function registers(path) {
  return /\b(?:attack|strictAttack)\(/.test(readFileSync(path, "utf8"))
}

/** Files in `cases/` that several tests share. @param {string} path */
function casesOf(path) {
  return [...readFileSync(path, "utf8").matchAll(/"(\.\/(?:[^"\n]*\/)?cases\/[^"\n]+)\.js"/g)].map(([, specifier]) =>
    join(dirname(path), `${specifier}.ts`),
  )
}
