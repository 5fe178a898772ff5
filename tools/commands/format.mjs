import { must } from "../shell.mjs"
import { root } from "../workspace.mjs"

/** @param {string[]} paths files or folders; everything by default */
export async function format(paths) {
  const targets = paths.length > 0 ? paths : ["."]
  await must("biome", ["format", "--write", ...targets], { cwd: root, advice: "Fix the syntax errors first." })
}
