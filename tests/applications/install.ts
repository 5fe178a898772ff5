import { existsSync } from "node:fs"
import { cp, readFile, realpath, rm } from "node:fs/promises"
import { dirname, join } from "node:path"

/** Copies a package and its dependencies, as npm installs them. Bundlers treat links to other folders differently. */
export async function install(from: string, modules: string, name: string): Promise<void> {
  const to = join(modules, name)
  if (existsSync(to)) return
  await cp(from, to, { recursive: true, filter: (path) => !skipped.includes(path.slice(from.length + 1)) })
  const manifest: unknown = JSON.parse(await readFile(join(from, "package.json"), "utf8"))
  const { dependencies = {} } = manifest as { readonly dependencies?: Readonly<Record<string, string>> }
  for (const dependency of Object.keys(dependencies)) {
    await install(await realpath(find(dependency, from)), modules, dependency)
  }
}

/** What the published packages don't contain. */
const skipped = ["node_modules", "test", "api", "tsconfig.json"]

/** The folder of a dependency, found as Node.js finds it. */
function find(name: string, from: string): string {
  const path = join(from, "node_modules", name)
  if (existsSync(path)) return path
  if (dirname(from) === from) throw new Error(`${name} isn't installed`)
  return find(name, dirname(from))
}

export async function remove(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 })
}
