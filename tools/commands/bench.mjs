import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Failure, must, run } from "../shell.mjs"
import { root } from "../workspace.mjs"
import { build } from "./build.mjs"

/** Measures Latchkey next to the libraries in bench/package-lock.json. The workspace doesn't install those. @param {string[]} args */
export async function bench(args) {
  const folder = join(root, "bench")
  if (!existsSync(join(folder, "run.mjs"))) throw new Failure("This checkout has no bench/run.mjs.")
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
    advice: "See its output above. The first time, this needs a connection to the npm registry.",
  })
  writeFileSync(stamp, wanted)
}
