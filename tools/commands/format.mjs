import { must } from "../shell.mjs"
import { root } from "../workspace.mjs"

/** Formats files or folders. @param {string[]} paths */
export async function format(paths) {
  const targets = paths.length > 0 ? paths : ["."]
  await must("biome", ["format", "--write", ...targets], { cwd: root, advice: "correct the syntax first" })
}
