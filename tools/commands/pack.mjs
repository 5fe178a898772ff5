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

/**
 * Packs what is built.
 * @param {string} [folder] is emptied
 * @param {readonly string[]} [names] of folders in `packages`. @default all
 * @returns {Promise<string[]>} absolute paths of the tarballs
 */
export async function packAll(folder = tarballs, names = ["*"]) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const filters = names.flatMap((name) => ["--filter", `./packages/${name}`])
  await mustPack("pnpm", ["-r", ...filters, "pack", "--pack-destination", folder])
  await mustPack("node", [join(root, "tools", "lighten.mjs"), folder])
  return readdirSync(folder).map((name) => join(folder, name))
}

/** @param {string} program @param {string[]} args */
async function mustPack(program, args) {
  const { code, output } = await capture(program, args, { cwd: root })
  if (code !== 0) throw new Failure(`Could not pack the packages:\n${output.trim()}`)
}
