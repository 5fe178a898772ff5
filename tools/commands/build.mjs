import { existsSync, rmSync } from "node:fs"
import { isAbsolute, join, relative } from "node:path"
import { writeReexports } from "../reexports.mjs"
import { must } from "../shell.mjs"
import { entriesOf, filesBelow, packages, reexportsOf, root, workspaceFolders } from "../workspace.mjs"
import { generate } from "./generate.mjs"

/** Compiles what has changed. */
export async function build() {
  await generate()
  const written = new Set(
    packages()
      .flatMap(reexportsOf)
      .map(({ built }) => built),
  )
  for (const folder of workspaceFolders()) prune(folder, written)
  writeReexports()
  await must("tsc", ["-b"], { cwd: root, advice: "correct what the compiler says above" })
  for (const pkg of packages()) if (pkg.short === "core") await bundle(pkg)
}

/**
 * The code of core in a few files instead of a hundred: each file costs a third of a millisecond at every cold start.
 * What every request needs is one chunk, what reading a session needs another, reading a token a third; the rest is loaded on first use.
 * Nothing is minified.
 * @param {import("../workspace.mjs").Package} pkg
 */
async function bundle(pkg) {
  const { rolldown } = await import("rolldown")
  const source = join(pkg.folder, "src")
  const dist = join(pkg.folder, "dist")
  for (const path of filesBelow(dist)) if (/\.js(?:\.map)?$/.test(path)) rmSync(path)
  const platforms = ["node", "web"].map((name) => join(source, "crypto", `${name}.ts`))
  const entries = [...entriesOf(pkg).map((entry) => entry.source), ...platforms]
  const build = await rolldown({
    input: Object.fromEntries(entries.map((path) => [relative(source, path).replace(/\.ts$/, ""), path])),
    external: (id) => !id.startsWith(".") && !isAbsolute(id),
    platform: "neutral",
    treeshake: { moduleSideEffects: false },
    tsconfig: false,
  })
  await build.write({
    dir: dist,
    sourcemap: true,
    comments: false,
    entryFileNames: "[name].js",
    chunkFileNames: "chunks/[name].js",
    codeSplitting: {
      groups: [
        chunk("token", 3, ["jwt", "errors"]),
        chunk("session", 2, ["session-reader", "env", "provider-kit/define"]),
        chunk("engine", 1, ["auth", "visitor"]),
      ],
    },
  })
  await build.close()
}

/** These modules of `src` and everything that they import. @param {string} name @param {number} priority @param {string[]} modules */
function chunk(name, priority, modules) {
  return { name, priority, test: new RegExp(`[/\\\\]src[/\\\\](?:${modules.join("|")})\\.ts$`) }
}

/** `tsc -b` leaves behind what it once made of a file that is gone; it must not be published. @param {string} folder @param {ReadonlySet<string>} written files in `dist` without a source */
function prune(folder, written) {
  const dist = join(folder, "dist")
  for (const path of filesBelow(dist)) {
    const stem = /^(.*?)(?:\.d\.ts|\.js)(?:\.map)?$/.exec(path)?.[1]
    // Chunks have no source of their own: the bundler replaces them all.
    if (stem === undefined || stem.startsWith(join(dist, "chunks")) || written.has(stem)) continue
    const source = join(folder, "src", stem.slice(dist.length + 1))
    if (!existsSync(`${source}.ts`) && !existsSync(`${source}.tsx`)) rmSync(path)
  }
}
