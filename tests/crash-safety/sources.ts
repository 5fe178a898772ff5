// For `node --import`: makes a process run on the sources, as vitest.config.ts does.
import { readFileSync } from "node:fs"
import { registerHooks } from "node:module"

const packages = new URL("../../packages/", import.meta.url)

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>
}

function sourceOf(specifier: string): string | undefined {
  const [, folder, rest = ""] = /^@latchkey\/([^/]+)(\/.*)?$/.exec(specifier) ?? []
  if (folder === undefined) return undefined
  const manifest: Manifest = JSON.parse(readFileSync(new URL(`${folder}/package.json`, packages), "utf8"))
  const [entry, star] =
    manifest.exports[`.${rest}`] === undefined ? ["./providers/*", rest.split("/")[2]] : [`.${rest}`]
  const target = manifest.exports[entry]
  if (typeof target !== "object") throw new Error(`${specifier} is not an entry of its package`)
  const path = target.default.replace("./dist/", "src/").replace("*", star ?? "")
  return new URL(`${folder}/${path}`, packages).href
}

/** The imports of core that depend on the runtime. */
const ownImports: Readonly<Record<string, string>> = {
  "#crypto": "crypto/node.js",
  "#passkey-library": "provider-kit/passkey-library/imported.js",
  "#seam": "module-kit/seam/imported.js",
  "#unknown-options": "config/check/unknown-options/find.js",
}

function find(specifier: string, parent: string | undefined): string {
  const own = ownImports[specifier]
  if (own !== undefined) return new URL(`core/src/${own}`, packages).href
  const found = sourceOf(specifier)
  if (found !== undefined) return found
  if (parent === undefined || parent.includes("/node_modules/") || !specifier.startsWith(".")) return specifier
  return new URL(specifier, parent).href
}

registerHooks({
  resolve: (specifier, context, next) => {
    const found = find(specifier, context.parentURL)
    return next(found === specifier ? specifier : found.replace(/\.js$/, ".ts"), context)
  },
})
