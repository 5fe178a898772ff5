// Sources and declarations, then what `tsc -b` does not cover: tests, the tools themselves, type tests.
import { mkdirSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { build } from "../commands/build.mjs"
import { must } from "../shell.mjs"
import { filesBelow, packages, root } from "../workspace.mjs"

export async function checkTypes() {
  await build()
  for (const project of [join(root, "tsconfig.tests.json"), join(root, "tools"), ...typeTests()]) {
    await must("tsc", ["-p", relative(root, project)], { cwd: root, advice: "correct what the compiler says" })
  }
}

/** A program for each file, since what one adds to our interfaces would hold for all. @returns {string[]} their tsconfig files */
function typeTests() {
  return packages()
    .flatMap(({ folder, short }) => filesBelow(join(folder, "test", "types")).map((path) => ({ path, short })))
    .filter(({ path }) => path.endsWith(".test-d.ts"))
    .map(({ path, short }) => {
      const config = join(root, "node_modules", ".cache", "type-tests", `${short}.${basename(path)}.json`)
      const base = relative(dirname(config), join(root, "tsconfig.tests.json"))
      mkdirSync(dirname(config), { recursive: true })
      writeFileSync(config, JSON.stringify({ extends: base, files: [path], include: [], references: [] }))
      return config
    })
}
