import { existsSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Failure } from "../failure.js"
import { type Framework, frameworks, plain } from "./framework.js"
import { installedAt } from "./installed.js"

export interface Manifest {
  readonly type?: string
  readonly imports?: Readonly<Record<string, unknown>>
  readonly scripts?: Readonly<Record<string, string>>
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** The application to work on. */
export interface Project {
  /** The folder of its package.json. */
  readonly root: string
  readonly manifest: Manifest
  readonly framework: Framework
  readonly typescript: boolean
}

/** @throws Failure if neither this folder nor one above has a package.json */
export function findProject(cwd: string): Project {
  const root = rootAbove(cwd)
  if (root === undefined) {
    throw new Failure(
      `Neither ${cwd} nor a folder above it has a package.json. Run this in your application, or name its folder with --cwd.`,
    )
  }
  return projectAt(root)
}

export function projectAt(root: string): Project {
  const manifest = readManifest(root)
  const framework = frameworks.find(({ dependencies }) => dependencies.some((name) => depends(manifest, name))) ?? plain
  const typescript = existsSync(join(root, "tsconfig.json")) || depends(manifest, "typescript")
  return { root, manifest, framework, typescript }
}

export function rootAbove(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    if (existsSync(join(folder, "package.json"))) return folder
    if (folder === dirname(folder)) return undefined
  }
}

export function depends({ dependencies, devDependencies }: Manifest, name: string): boolean {
  return dependencies?.[name] !== undefined || devDependencies?.[name] !== undefined
}

function readManifest(root: string): Manifest {
  const path = join(root, "package.json")
  try {
    const manifest: unknown = JSON.parse(readFileSync(path, "utf8").replace(/^\uFEFF/, ""))
    if (typeof manifest === "object" && manifest !== null) return manifest
  } catch (cause) {
    throw new Failure(`${path} isn't valid JSON. Fix it and run the command again.`, { cause })
  }
  throw new Failure(`${path} isn't a JSON object. Fix it and run the command again.`)
}

/** The major version of the installed package, or of the range in package.json. */
export function majorOf({ root, manifest }: Project, name: string): number | undefined {
  const installed = join(root, "node_modules", name, "package.json")
  const version = existsSync(installed) ? versionIn(installed) : rangesOf(manifest)[name]
  return majorIn(version)
}

/** What of the framework is older than Latchkey's package for it works with. */
export function outdatedIn(
  project: Project,
): { readonly name: string; readonly major: number; readonly oldest: number }[] {
  const { dependencies, name: title, needs } = project.framework
  return Object.entries(needs).flatMap(([name, oldest]) => {
    const major = majorOf(project, name)
    return major === undefined || major >= oldest
      ? []
      : [{ name: dependencies.includes(name) ? title : name, major, oldest }]
  })
}

/** Every dependency with its range. */
export function rangesOf(manifest: Manifest): Readonly<Record<string, string>> {
  const { dependencies, devDependencies, peerDependencies, optionalDependencies } = manifest
  return { ...peerDependencies, ...optionalDependencies, ...devDependencies, ...dependencies }
}

/** Whether the dependency is Latchkey under another name, such as `"next-auth": "npm:@latchkey/next@…"`, or a local copy. */
export function isSwapped({ root, manifest }: Pick<Project, "root" | "manifest">, name: string): boolean {
  const range = rangesOf(manifest)[name] ?? ""
  if (/^(?:npm|file|link|portal|workspace):.*latchkey/.test(range)) return true
  return installedAt(root, name)?.name.startsWith("@latchkey/") === true
}

/** The package that runs an application of version 4 as it is. */
export const bridge = "@latchkey/next-auth-4"

/** Whether the dependency is the bridge under another name: from npm, as a tarball, or from a folder. */
export function isBridge({ root, manifest }: Pick<Project, "root" | "manifest">, name: string): boolean {
  return /latchkey[/-]next-auth-4/.test(rangesOf(manifest)[name] ?? "") || installedAt(root, name)?.name === bridge
}

/** The first major version in a range. */
export function majorIn(range: string | undefined): number | undefined {
  const major = /(?:^|[^\d.\w])v?(\d+)(?=[.\s]|$)/.exec(range ?? "")?.[1]
  return major === undefined ? undefined : Number(major)
}

function versionIn(path: string): string | undefined {
  const manifest: unknown = JSON.parse(readFileSync(path, "utf8"))
  return typeof manifest === "object" && manifest !== null && "version" in manifest
    ? String(manifest.version)
    : undefined
}

const installers = [
  { lockfile: "pnpm-lock.yaml", install: "pnpm install" },
  { lockfile: "yarn.lock", install: "yarn install" },
  { lockfile: "bun.lock", install: "bun install" },
  { lockfile: "bun.lockb", install: "bun install" },
]

/** The command that installs the dependencies. */
export function installCommand({ root }: Project): string {
  return installers.find(({ lockfile }) => existsSync(join(root, lockfile)))?.install ?? "npm install"
}
