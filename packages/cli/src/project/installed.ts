import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** A package in `node_modules`. */
export interface Installed {
  /** Its own name, which differs from the name of its folder if it's an alias. */
  readonly name: string
  readonly version: string
  /** Whether TypeScript finds its subpaths without `exports`. */
  readonly hasTypesVersions: boolean
}

/** The package that an import in the application loads. Undefined if it isn't installed. */
export function installedAt(root: string, name: string): Installed | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const path = join(folder, "node_modules", name, "package.json")
    if (existsSync(path)) return readInstalled(path)
    if (folder === dirname(folder)) return undefined
  }
}

function readInstalled(path: string): Installed | undefined {
  const manifest: unknown = JSON.parse(readFileSync(path, "utf8"))
  if (typeof manifest !== "object" || manifest === null) return undefined
  const name = "name" in manifest ? String(manifest.name) : ""
  const version = "version" in manifest ? String(manifest.version) : ""
  return { name, version, hasTypesVersions: "typesVersions" in manifest }
}

/** Yarn Plug'n'Play installs no `node_modules`. */
export function usesPlugAndPlay(root: string): boolean {
  for (let folder = root; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".pnp.cjs"))) return true
    if (folder === dirname(folder)) return false
  }
}
