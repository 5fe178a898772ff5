// Takes out one fix after another in one process of vitest, and runs the test that has to fail. Prints a line of JSON for each.
import { join } from "node:path"
import { createVitest } from "vitest/node"
import { root } from "./workspace.mjs"

/** @typedef {{ name: string, file: string, title: string, edited: readonly string[] }} Hole */

/** @type {readonly Hole[]} */
const holes = JSON.parse(process.argv[2] ?? "[]")
const vitest = await createVitest("test", {
  watch: false,
  project: ["!long"],
  reporters: [{}],
  maxWorkers: 1,
  root,
})
try {
  await vitest.standalone()
  for (const hole of holes) console.log(JSON.stringify({ name: hole.name, failed: await failuresWithout(hole) }))
} finally {
  await vitest.close()
}
// Failed tests are what is expected, and vitest counts them as a failure of the process.
process.exitCode = 0

/**
 * How many tests fail without the fix.
 * @param {Hole} hole
 */
async function failuresWithout({ name, file, title, edited }) {
  process.env["HOLE"] = name
  vitest.setGlobalTestNamePattern(patternOf(title))
  const invalidate = () => edited.forEach((path) => vitest.invalidateFile(join(root, path)))
  invalidate()
  const specifications = await vitest.globTestSpecifications([file])
  const { testModules } = await vitest.runTestSpecifications(specifications)
  invalidate()
  // The others are of earlier runs.
  const ran = testModules.filter(({ moduleId }) => moduleId === join(root, file))
  return ran.flatMap((module) => [...module.children.allTests("failed")]).length
}

/** A title as the source has it, so `%s` stands for any text. @param {string} title */
function patternOf(title) {
  return title.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/%[sjdo#]/g, ".*")
}
