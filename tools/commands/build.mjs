import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { writeManifests } from "../manifests.mjs"
import { writeReexports } from "../reexports.mjs"
import { capture, Failure, must } from "../shell.mjs"
import { filesBelow, packages, reexportsOf, root, workspaceFolders } from "../workspace.mjs"
import { generate } from "./generate.mjs"

const core = join(root, "packages", "core")

/** Writes the generated sources and the generated fields of each package.json, compiles what has changed, and bundles core. */
export async function build() {
  await generate()
  writeManifests()
  const reexports = packages().flatMap((pkg) => reexportsOf(pkg))
  const written = new Set(reexports.map(({ built }) => built))
  for (const folder of workspaceFolders()) prune(folder, written)
  writeReexports()
  await must("tsc", ["-b"], { cwd: root, advice: "Fix the errors above." })
  rmSync(join(core, "dist", "chunks"), { recursive: true, force: true })
  const { code, output } = await capture("rolldown", ["--config"], { cwd: core })
  if (code !== 0) throw new Failure(`Could not bundle packages/core:\n${output.trim()}`)
}

/**
 * Removes output whose source is gone. `tsc -b` leaves it, and it would be published.
 * @param {string} folder
 * @param {ReadonlySet<string>} written output without a source
 */
function prune(folder, written) {
  const dist = join(folder, "dist")
  for (const path of filesBelow(dist)) {
    const stem = /^(.*?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(path)?.[1]
    if (stem === undefined || stem.startsWith(join(dist, "chunks")) || written.has(stem)) continue
    const source = join(folder, "src", stem.slice(dist.length + 1))
    if (!existsSync(`${source}.ts`) && !existsSync(`${source}.tsx`)) rmSync(path)
  }
}
