import { mkdirSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { capture, Failure } from "../shell.mjs"
import { root, shown } from "../workspace.mjs"
import { build } from "./build.mjs"

const tarballs = join(root, "dist", "packages")

/** Builds and packs every package. */
export async function pack() {
  await build()
  for (const tarball of await packAll()) console.log(shown(tarball))
}

/** @returns {Promise<string[]>} absolute paths of the tarballs */
export async function packAll() {
  rmSync(tarballs, { recursive: true, force: true })
  mkdirSync(tarballs, { recursive: true })
  const args = ["-r", "--filter", "./packages/*", "pack", "--pack-destination", tarballs]
  const { code, output } = await capture("pnpm", args, { cwd: root })
  if (code !== 0) throw new Failure(`Could not pack the packages:\n${output.trim()}`)
  const made = readdirSync(tarballs).map((name) => join(tarballs, name))
  for (const tarball of made) await inspect(tarball)
  return made
}

/** publint and attw don't look for these. @param {string} tarball */
async function inspect(tarball) {
  const { stdout } = await capture("tar", ["-tzf", tarball])
  const names = stdout.split("\n")
  for (const wanted of ["package/LICENSE", "package/README.md"]) {
    if (!names.includes(wanted)) throw new Failure(`${shown(tarball)} has no ${wanted}. Add it to the package.`)
  }
  const extra = names.filter((name) => /\.test\.|tsbuildinfo|\/test\//.test(name))
  if (extra.length > 0) throw new Failure(`${shown(tarball)} contains ${extra.join(", ")}. Exclude it with \`files\`.`)
}
