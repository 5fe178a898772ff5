import { copyFileSync, existsSync, mkdirSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { writeManifests } from "../manifests.mjs"
import { writeReexports } from "../reexports.mjs"
import { capture, Failure, must } from "../shell.mjs"
import { filesBelow, packages, reexportsOf, root, workspaceFolders } from "../workspace.mjs"
import { generate } from "./generate.mjs"

const core = join(root, "packages", "core")

/**
 * Writes the generated sources and the generated fields of each package.json, compiles what has changed, and bundles core.
 * @param {string} [folder] compiles only this project and those that it refers to
 */
export async function build(folder = root) {
  await generate()
  writeManifests()
  const reexports = packages().flatMap((pkg) => reexportsOf(pkg))
  const written = new Set(reexports.map(({ built }) => built))
  for (const folder of workspaceFolders()) prune(folder, written)
  writeReexports()
  for (const { folder } of packages()) copyAsTheyAre(folder)
  copyStyles()
  await must("tsc", folder === root ? ["-b"] : ["-b", folder], { cwd: root, advice: "Fix the errors above." })
  rmSync(join(core, "dist", "chunks"), { recursive: true, force: true })
  await bundle(core)
  await bundle(join(root, "packages", "next-auth-4"))
}

/** @param {string} folder */
async function bundle(folder) {
  const { code, output } = await capture("rolldown", ["--config"], { cwd: folder })
  if (code !== 0) throw new Failure(`Could not bundle ${folder}:\n${output.trim()}`)
}

/** The bundler of the application compiles Svelte components and style sheets. @param {string} folder */
function copyAsTheyAre(folder) {
  const source = join(folder, "src")
  for (const path of filesBelow(source).filter((path) => /\.(?:svelte|css)$/.test(path))) {
    const built = join(folder, "dist", path.slice(source.length + 1))
    mkdirSync(dirname(built), { recursive: true })
    copyFileSync(path, built)
  }
}

/** A framework package has the style sheet of the components, because its users may not be able to import another package. */
function copyStyles() {
  const styles = join(root, "packages", "react", "src", "styles.css")
  for (const { folder, manifest } of packages()) {
    if (manifest.exports?.["./styles.css"] === undefined) continue
    mkdirSync(join(folder, "dist"), { recursive: true })
    copyFileSync(styles, join(folder, "dist", "styles.css"))
  }
}

/**
 * Removes output whose source is gone. `tsc -b` leaves it, and it would be published.
 * @param {string} folder
 * @param {ReadonlySet<string>} written output without a source
 */
function prune(folder, written) {
  const dist = join(folder, "dist")
  for (const path of filesBelow(dist)) {
    const stem = /^(.*?)(?:\.d\.ts|\.js|\.svelte|\.css)(?:\.map)?$/.exec(path)?.[1]
    if (stem === undefined || stem.startsWith(join(dist, "chunks")) || written.has(stem)) continue
    const source = join(folder, "src", stem.slice(dist.length + 1))
    if (![".ts", ".tsx", ".svelte", ".css"].some((extension) => existsSync(source + extension))) rmSync(path)
  }
}
