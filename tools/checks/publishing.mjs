import { basename } from "node:path"
import { packAll } from "../commands/pack.mjs"
import { outdated } from "../manifests.mjs"
import { capture, Failure, withEach } from "../shell.mjs"
import { root, shown } from "../workspace.mjs"

/** A style sheet has no types. */
const untyped = ["--exclude-entrypoints", "styles.css"]

/** Runs publint and are-the-types-wrong on the packed packages. The packages are ESM only, also for `require` (Node 22.12). */
export async function checkPublishing() {
  /** @type {string[]} */
  const problems = outdated().map(({ short }) => `packages/${short}/package.json is outdated. Run \`npm run build\`.`)
  await withEach(await packAll(), async (tarball) => {
    // Its types come from the version of Qwik that is installed: from the first package of a list (publint warns about lists)
    // that exists (attw installs none). docs/decisions/0015-qwik-two-majors.md has the reason.
    const isQwik = basename(tarball).startsWith("latchkey-qwik-")
    const rules = isQwik ? ["internal-resolution-error"] : []
    for (const [program, ...args] of [
      ["publint", "run", tarball, ...(isQwik ? [] : ["--strict"])],
      ["attw", tarball, "--ignore-rules", "cjs-resolves-to-esm", ...rules, ...untyped, "--no-emoji", "--no-color"],
    ]) {
      const { code, output } = await capture(program ?? "", args, { cwd: root })
      if (code !== 0) problems.push(`${program} on ${shown(tarball)}:\n${output.trim()}`)
    }
  })
  if (problems.length > 0) throw new Failure(problems.join("\n\n"))
}
