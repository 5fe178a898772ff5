import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { capture, Failure, must } from "../shell.mjs"
import { filesBelow, root, workspaceFolders } from "../workspace.mjs"

const core = join(root, "packages", "core")

/** Compiles what has changed, and bundles core. */
export async function build() {
  for (const folder of workspaceFolders()) prune(folder)
  await must("tsc", ["-b"], { cwd: root, advice: "fix the errors above" })
  rmSync(join(core, "dist", "chunks"), { recursive: true, force: true })
  const { code, output } = await capture("rolldown", ["--config"], { cwd: core })
  if (code !== 0) throw new Failure(`Could not bundle packages/core:\n${output.trim()}`)
}

/** Removes output whose source is gone. `tsc -b` leaves it, and it would be published. @param {string} folder */
function prune(folder) {
  const dist = join(folder, "dist")
  for (const path of filesBelow(dist)) {
    const stem = /^(.*?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(path)?.[1]
    if (stem === undefined || stem.startsWith(join(dist, "chunks"))) continue
    const source = join(folder, "src", stem.slice(dist.length + 1))
    if (!existsSync(`${source}.ts`) && !existsSync(`${source}.tsx`)) rmSync(path)
  }
}
