// Joins the declarations of a package, so that users install one file for each entry and one that the entries share.
import { globSync, rmSync } from "node:fs"
import { isAbsolute, join, relative } from "node:path"
import { rolldown } from "rolldown"
import { dts } from "rolldown-plugin-dts"
import { filesBelow, reexportsOf } from "./workspace.mjs"

/** @typedef {import("./workspace.mjs").Package} Package */

/** Relative to `dist`. */
const shared = "chunks/declarations.d.ts"

/**
 * Replaces the declarations of an unpacked package.
 * @param {Package} pkg
 * @param {string} to the `dist` of the unpacked package
 */
export async function bundleDeclarations(pkg, to) {
  const dist = join(pkg.folder, "dist")
  const reexports = new Set(reexportsOf(pkg).map(({ built }) => `${built}.d.ts`))
  for (const path of declarationsBelow(to)) if (!reexports.has(join(dist, relative(to, path)))) rmSync(path)
  const entries = new Set(entriesOf(pkg).filter((path) => !reexports.has(path)))
  if (entries.size === 0) return
  const bundle = await rolldown({
    input: Object.fromEntries([...entries].map((path) => [relative(dist, path).replace(/\.d\.ts$/, ""), path])),
    external: (id) => !id.startsWith(".") && !isAbsolute(id),
    tsconfig: false,
    treeshake: { moduleSideEffects: false },
    plugins: [dts({ dtsOnly: true, generator: "oxc", tsconfig: false })],
  })
  await bundle.write({
    dir: to,
    chunkFileNames: shared,
    codeSplitting: { groups: [{ name: "declarations", test: (id) => !entries.has(id) }] },
  })
  await bundle.close()
}

/**
 * The declarations of an unpacked package that no user can import.
 * @param {Package} pkg
 * @param {string} to the `dist` of the unpacked package
 */
export function unbundled(pkg, to) {
  const dist = join(pkg.folder, "dist")
  const expected = new Set([...entriesOf(pkg), join(dist, shared)])
  return declarationsBelow(to).filter((path) => !expected.has(join(dist, relative(to, path))))
}

/** Absolute paths in `dist`. Nuxt imports the modules in `runtime` by their paths. @param {Package} pkg */
function entriesOf({ folder, manifest }) {
  const exported = Object.values(manifest.exports ?? {}).flatMap((target) =>
    typeof target === "string" ? [] : [target.types],
  )
  return [...exported, "dist/runtime/*.d.ts"]
    .flatMap((pattern) => globSync(pattern, { cwd: folder }))
    .map((path) => join(folder, path))
}

/** @param {string} folder */
function declarationsBelow(folder) {
  return filesBelow(folder).filter((path) => path.endsWith(".d.ts"))
}
