import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

/** The text of the files in a folder next to the suites, by path. */
export function filesIn(name: string): Readonly<Record<string, string>> {
  const folder = fileURLToPath(new URL(name, import.meta.url))
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = found.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).sort()
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(folder, path), "utf8")]))
}
