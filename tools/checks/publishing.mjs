import { packAll } from "../commands/pack.mjs"
import { capture, Failure } from "../shell.mjs"
import { root, shown } from "../workspace.mjs"

/** Runs publint and are-the-types-wrong on the packed packages. */
export async function checkPublishing() {
  /** @type {string[]} */
  const problems = []
  for (const tarball of await packAll()) {
    for (const [program, ...args] of [
      ["publint", "run", tarball, "--strict"],
      ["attw", tarball, "--profile", "esm-only", "--no-emoji", "--no-color"],
    ]) {
      const { code, output } = await capture(program ?? "", args, { cwd: root })
      if (code !== 0) problems.push(`${program} on ${shown(tarball)}:\n${output.trim()}`)
    }
  }
  if (problems.length > 0) throw new Failure(problems.join("\n\n"))
}
