import { readFileSync } from "node:fs"
import { createRequire } from "node:module"

interface Manifest {
  readonly version: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

const own = new URL("../package.json", import.meta.url)

/** The version of this package. */
export function ownVersion(): string {
  return manifestAt(own).version
}

/**
 * The range of another Latchkey package that this version of the command line was released with. The version of this package
 * for one that it doesn't depend on.
 */
export function rangeOf(name: string): string {
  const { dependencies, devDependencies } = manifestAt(own)
  const range = { ...devDependencies, ...dependencies }[name]
  if (range !== undefined && !range.startsWith("workspace:")) return range.replace(/^(?=\d)/, "^")
  const installed = createRequire(import.meta.url)
  return `^${range === undefined ? ownVersion() : manifestAt(installed.resolve(`${name}/package.json`)).version}`
}

/** The range of a package that `@latchkey/core` loads on first use. */
export function peerRangeOf(name: string): string {
  const { peerDependencies } = manifestAt(createRequire(import.meta.url).resolve("@latchkey/core/package.json"))
  return peerDependencies?.[name] ?? "latest"
}

function manifestAt(path: URL | string): Manifest {
  // A manifest of a Latchkey package.
  return JSON.parse(readFileSync(path, "utf8")) as Manifest
}
