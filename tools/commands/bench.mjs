import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Failure, must, run } from "../shell.mjs"
import { root } from "../workspace.mjs"
import { build } from "./build.mjs"

/** Measures us beside the libraries in bench/package-lock.json, which the workspace does not install. @param {string[]} args */
export async function bench(args) {
  const folder = join(root, "bench")
  if (!existsSync(join(folder, "run.mjs")))
    throw new Failure("There is no bench/run.mjs in this checkout: nothing to run")
  await build()
  await installPeers(folder)
  process.exitCode = await run("node", ["run.mjs", ...args], { cwd: folder })
}

/** @param {string} folder */
async function installPeers(folder) {
  const stamp = join(folder, "node_modules", ".installed")
  const wanted = createHash("sha256")
    .update(readFileSync(join(folder, "package-lock.json")))
    .digest("hex")
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return
  await must("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], {
    cwd: folder,
    advice: "look at its words above; the registry has to be reachable the first time",
  })
  writeFileSync(stamp, wanted)
}
