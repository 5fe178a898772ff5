// A reporter for vitest: names what was skipped, compares the attack matrix, and counts in the last line.
import { attackTests, matrixProblems, writeMatrix } from "./commands/matrix.mjs"
import { shown } from "./workspace.mjs"

/**
 * @typedef {import("vitest/node").Vitest} Vitest
 * @typedef {import("vitest/node").TestModule} TestModule
 * @typedef {{ what: string, why: string }} Missing something of the machine that some tests need (tests/setup/provided.ts)
 */

/** With CI=true or LATCHKEY_NO_SKIPS=1 a skipped test is a failure. */
const isStrict = [process.env["CI"], process.env["LATCHKEY_NO_SKIPS"]].some((value) =>
  ["1", "true"].includes(value ?? ""),
)

export default class CountReporter {
  /** @type {Vitest | undefined} */
  #vitest

  /** @param {Vitest} vitest */
  onInit(vitest) {
    this.#vitest = vitest
  }

  /** @param {readonly TestModule[]} modules @param {readonly unknown[]} errors */
  onTestRunEnd(modules, errors) {
    const counts = count(modules)
    const skips = [...this.#missing().map(({ what, why }) => `${what} (${why})`), ...skipsIn(modules)]
    const isBroken = errors.length > 0 || modules.some((module) => module.errors().length > 0)
    const problems = [
      ...problemsOf({ ...counts, isBroken, hasSkips: skips.length > 0 }),
      ...this.#matrix(modules, counts.failed === 0 && !isBroken),
    ]
    for (const skip of skips) console.log(`skipped: ${skip}`)
    for (const problem of problems) console.log(`✘ ${problem}`)
    if (problems.length > 0) process.exitCode = 1
    console.log(`tests: ${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
  }

  /** @returns {readonly Missing[]} */
  #missing() {
    /** @type {{ missing?: readonly Missing[] }} */
    const context = this.#vitest?.getRootProject().getProvidedContext() ?? {}
    return context.missing ?? []
  }

  /** The matrix needs every test of it. @param {readonly TestModule[]} modules @param {boolean} passed */
  #matrix(modules, passed) {
    const ran = new Set(modules.map(({ moduleId }) => shown(moduleId)))
    const pattern = this.#vitest?.config.testNamePattern
    if (pattern !== undefined || !attackTests().every((path) => ran.has(path))) return []
    const files = modules.filter(({ project }) => project.name !== "long").map(fileOf)
    return process.env["LATCHKEY_MATRIX"] === "write" ? writeMatrix(files, passed) : matrixProblems(files, passed)
  }
}

/** @param {{ passed: number, failed: number, skipped: number, isBroken: boolean, hasSkips: boolean }} run */
function* problemsOf({ passed, failed, skipped, isBroken, hasSkips }) {
  if (isStrict && hasSkips) yield "Tests were skipped, which CI=true and --no-skips forbid: install what is named above"
  if (passed + failed + skipped === 0) yield "No test ran: see the messages above"
  if (isBroken && failed === 0) yield "Something failed outside of a test: see the messages above"
}

/** @param {readonly TestModule[]} modules */
function count(modules) {
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const module of modules) for (const test of module.children.allTests()) counts[stateOf(test)]++
  return counts
}

/** @param {import("vitest/node").TestCase} test @returns {"passed" | "failed" | "skipped"} */
function stateOf(test) {
  const { state } = test.result()
  return state === "pending" ? "skipped" : state
}

/** @param {readonly TestModule[]} modules */
function skipsIn(modules) {
  return modules.flatMap((module) => {
    const { skipped } = count([module])
    return skipped > 0 ? [`${skipped} in ${shown(module.moduleId)}`] : []
  })
}

/** @param {TestModule} module @returns {import("./matrix.mjs").TestFile} */
function fileOf(module) {
  const tests = [...module.children.allTests()]
  return {
    name: module.moduleId,
    assertionResults: tests.map((test) => ({ title: test.name, status: stateOf(test) })),
  }
}
