import { build } from "../commands/build.mjs"
import { must } from "../shell.mjs"
import { packages, root } from "../workspace.mjs"

/** The rules are in .dependency-cruiser.mjs. Packages find each other's declarations in `dist`, so this builds first. */
export async function checkDependencies() {
  await build()
  const sources = packages().map(({ short }) => `packages/${short}/src`)
  const flags = ["--config", ".dependency-cruiser.mjs", "--output-type", "err-long"]
  await must("depcruise", [...flags, ...sources], { cwd: root, advice: "Change the imports listed above." })
}
