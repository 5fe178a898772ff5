import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { must } from "../shell.mjs"
import { filesBelow, root, workspaceFolders } from "../workspace.mjs"

/** Compiles what has changed. */
export async function build() {
  for (const folder of workspaceFolders()) prune(folder)
  await must("tsc", ["-b"], { cwd: root, advice: "correct what the compiler says above" })
}

/** `tsc -b` leaves behind what it once made of a file that is gone; it must not be published. @param {string} folder */
function prune(folder) {
  const dist = join(folder, "dist")
  for (const path of filesBelow(dist)) {
    const stem = /^(.*?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(path)?.[1]
    if (stem === undefined) continue
    const source = join(folder, "src", stem.slice(dist.length + 1))
    if (!existsSync(`${source}.ts`) && !existsSync(`${source}.tsx`)) rmSync(path)
  }
}
