import { mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { capture, Failure } from "../shell.mjs"
import { packages, root, shown } from "../workspace.mjs"
import { build } from "./build.mjs"

export const tarballs = join(root, "dist", "packages")

/** Builds and packs every package; `workspace:` becomes a version on the way. */
export async function pack() {
  await build()
  await packAll()
  for (const name of readdirSync(tarballs)) console.log(shown(join(tarballs, name)))
}

/** @returns {Promise<string[]>} absolute paths */
export async function packAll() {
  rmSync(tarballs, { recursive: true, force: true })
  mkdirSync(tarballs, { recursive: true })
  for (const { folder, manifest } of packages()) {
    const { code, output } = await capture("pnpm", ["pack", "--pack-destination", tarballs], { cwd: folder })
    if (code !== 0) throw new Failure(`pnpm could not pack ${manifest.name}: ${output.trim()}`)
  }
  const made = readdirSync(tarballs).map((name) => join(tarballs, name))
  for (const tarball of made) await inspect(tarball)
  return made
}

/** @param {string} tarball */
async function inspect(tarball) {
  const { stdout } = await capture("tar", ["-tzf", tarball])
  const names = stdout.split("\n")
  for (const wanted of ["package/LICENSE", "package/README.md", "package/package.json"]) {
    if (!names.includes(wanted)) throw new Failure(`${shown(tarball)} has no ${wanted}: add it to the package`)
  }
  const odd = names.filter((name) => /\.test\.|tsbuildinfo|\/test\//.test(name))
  if (odd.length > 0) throw new Failure(`${shown(tarball)} holds ${odd.join(", ")}: leave it out with \`files\``)
  const { stdout: manifest } = await capture("tar", ["-xzOf", tarball, "package/package.json"])
  if (manifest.includes("workspace:")) throw new Failure(`${shown(tarball)} depends on "workspace:": pack it with pnpm`)
}
