import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { machinePath } from "../bootstrap.mjs"
import { capture, Failure } from "../shell.mjs"
import { entriesOf, packages, reexportsOf } from "../workspace.mjs"
import { build } from "./build.mjs"
import { packAll } from "./pack.mjs"

const program = fileURLToPath(new URL("../smoke-program.mjs", import.meta.url))

/** Installs the packages with npm into an empty folder, loads every entry on the Node of this machine, and calls `Auth()`. */
export async function smoke() {
  await build()
  const made = await packAll()
  const folder = mkdtempSync(join(tmpdir(), "latchkey-smoke-"))
  const env = { ...process.env, PATH: machinePath }
  try {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }))
    const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    const install = await capture("npm", ["install", ...flags, ...made, ...peers()], { cwd: folder, env })
    if (install.code !== 0) throw new Failure(`npm could not install the packed packages:\n${install.output.trim()}`)
    const specifiers = packages()
      .flatMap((pkg) => [...entriesOf(pkg), ...reexportsOf(pkg)])
      .map(({ specifier }) => specifier)
    writeFileSync(join(folder, "entries.json"), JSON.stringify(specifiers))
    copyFileSync(program, join(folder, "smoke.mjs"))
    const { code, output } = await capture(process.execPath, ["smoke.mjs"], { cwd: folder, env })
    console.log(output.trim())
    if (code !== 0) throw new Failure("The packed packages don't work outside the repository. See the error above.")
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Optional peers, which some entries import. npm installs the others by itself. Both versions of Qwik at once conflict. */
function peers() {
  return (
    packages()
      .filter(({ short }) => short !== "qwik")
      .flatMap(({ manifest }) =>
        Object.keys(manifest.peerDependenciesMeta ?? {}).map((name) => `${name}@${manifest.peerDependencies?.[name]}`),
      )
      // Packages of this workspace are among those that were packed.
      .filter((peer) => !peer.includes("@workspace:"))
  )
}
