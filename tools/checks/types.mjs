// Sources and declarations, then what `tsc -b` does not cover: tests, the tools themselves, separate type tests.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { build } from "../commands/build.mjs"
import { must } from "../shell.mjs"
import { filesBelow, packages, root } from "../workspace.mjs"

export async function checkTypes() {
  await build()
  for (const project of [join(root, "tsconfig.tests.json"), join(root, "tools"), ...separateTypeTests()]) {
    if (existsSync(project)) await must("tsc", ["-p", project], { cwd: root, advice: "correct what the compiler says" })
  }
}

/** Tests that extend interfaces of ours need a program each: `packages/<name>/test/types/<case>/tsconfig.json`. */
function separateTypeTests() {
  return packages()
    .flatMap(({ folder }) => filesBelow(join(folder, "test", "types")))
    .filter((path) => path.endsWith("tsconfig.json"))
}
