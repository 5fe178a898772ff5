import { packAll } from "../commands/pack.mjs"
import { outdated } from "../manifests.mjs"
import { capture, Failure } from "../shell.mjs"
import { root, shown } from "../workspace.mjs"

/** Runs publint and are-the-types-wrong on the packed packages. The packages are ESM only, also for `require` (Node 22.12). */
export async function checkPublishing() {
  /** @type {string[]} */
  const problems = outdated().map(({ short }) => `packages/${short}/package.json is outdated. Run \`npm run build\`.`)
  for (const tarball of await packAll()) {
    for (const [program, ...args] of [
      ["publint", "run", tarball, "--strict"],
      ["attw", tarball, "--ignore-rules", "cjs-resolves-to-esm", "--no-emoji", "--no-color"],
    ]) {
      const { code, output } = await capture(program ?? "", args, { cwd: root })
      if (code !== 0) problems.push(`${program} on ${shown(tarball)}:\n${output.trim()}`)
    }
  }
  if (problems.length > 0) throw new Failure(problems.join("\n\n"))
}
