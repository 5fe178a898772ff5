import { existsSync, rmSync } from "node:fs"
import { join } from "node:path"
import { must } from "../shell.mjs"
import { entriesOf, filesBelow, packages, root, workspaceFolders } from "../workspace.mjs"

/** Compiles what has changed. */
export async function build() {
  for (const folder of workspaceFolders()) prune(folder)
  await must("tsc", ["-b"], { cwd: root, advice: "correct what the compiler says above" })
  for (const pkg of packages()) if (pkg.short === "core") await bundle(pkg)
}

/**
 * The code of core in a few files instead of a hundred: each file costs a third of a millisecond at every cold start.
 * What is loaded on first use stays a file of its own; nothing is minified.
 * @param {import("../workspace.mjs").Package} pkg
 */
async function bundle(pkg) {
  const dist = join(pkg.folder, "dist")
  for (const path of filesBelow(dist)) if (/\.js(?:\.map)?$/.test(path)) rmSync(path)
  const platforms = ["node", "web"].map((name) => join(pkg.folder, "src", "crypto", `${name}.ts`))
  const entries = [...entriesOf(pkg).map(({ source }) => source), ...platforms]
  const options = ["--bundle", "--splitting", "--format=esm", "--platform=neutral", "--target=es2023", "--sourcemap"]
  const outside = ["--packages=external", "--external:#crypto", "--external:node:*"]
  const places = [`--outbase=${join(pkg.folder, "src")}`, `--outdir=${dist}`, "--chunk-names=chunks/[name]-[hash]"]
  await must("esbuild", [...entries, ...options, ...outside, ...places, "--log-level=warning"], {
    cwd: root,
    advice: "correct what the bundler says above",
  })
}

/** `tsc -b` leaves behind what it once made of a file that is gone; it must not be published. @param {string} folder */
function prune(folder) {
  const dist = join(folder, "dist")
  for (const path of filesBelow(dist)) {
    const stem = /^(.*?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(path)?.[1]
    // Chunks have no source of their own: the bundler replaces them all.
    if (stem === undefined || stem.startsWith(join(dist, "chunks"))) continue
    const source = join(folder, "src", stem.slice(dist.length + 1))
    if (!existsSync(`${source}.ts`) && !existsSync(`${source}.tsx`)) rmSync(path)
  }
}
