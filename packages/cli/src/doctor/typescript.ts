import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { parse } from "jsonc-parser"
import { installedAt } from "../project/installed.js"
import { majorIn, type Project } from "../project/project.js"
import { type Finding, problem } from "./finding.js"

interface Options {
  readonly module?: string
  readonly moduleResolution?: string
}

/** Problems of tsconfig.json with finding the types of Latchkey. */
export function typescriptFindings(project: Project): Finding[] {
  const path = join(project.root, "tsconfig.json")
  if (!project.typescript || !existsSync(path)) return []
  const version = majorIn(installedAt(project.root, "typescript")?.version) ?? 5
  const fault = faultOf(resolutionOf(optionsIn(path), version), version, project)
  const fix = 'Set `"module": "esnext"` and `"moduleResolution": "bundler"` in tsconfig.json'
  return fault === undefined ? [] : [problem("typescript", `moduleResolution ${fault}`, fix)]
}

function faultOf(resolution: string, version: number, project: Project): string | undefined {
  switch (resolution) {
    case "classic":
      return "is `classic`, which doesn't find packages in node_modules"
    case "node10":
      return faultOfNode10(version, project)
    case "node16":
      return project.manifest.type === "module" || project.framework.id === "next"
        ? undefined
        : "is `node16`, in which CommonJS files can't import Latchkey's ES modules"
    default:
      return undefined
  }
}

function faultOfNode10(version: number, { root, framework }: Project): string | undefined {
  if (version >= 7) return "`node` was removed in TypeScript 7"
  const isFound = installedAt(root, framework.integration)?.hasTypesVersions !== false
  return isFound ? undefined : "is `node`, which doesn't find the subpaths of this version of Latchkey"
}

/** The options with those that `extends` adds. */
function optionsIn(path: string, depth = 0): Options {
  // The parser tolerates comments. Members that aren't strings are ignored below.
  const config = (existsSync(path) ? parse(readFileSync(path, "utf8")) : undefined) as
    | { readonly extends?: unknown; readonly compilerOptions?: Options }
    | undefined
  const bases = [config?.extends].flat().filter((base): base is string => typeof base === "string")
  const inherited = depth > 8 ? [] : bases.map((base) => optionsIn(resolved(path, base), depth + 1))
  return Object.assign({}, ...inherited, config?.compilerOptions) as Options
}

/** The path of a base configuration, which may be in a package. */
function resolved(path: string, base: string): string {
  if (!base.startsWith(".") && !base.startsWith("/")) {
    const require = createRequire(path)
    for (const name of [base, `${base}.json`, `${base}/tsconfig.json`]) {
      try {
        return require.resolve(name)
      } catch {
        // The next name may exist.
      }
    }
    return ""
  }
  const file = join(dirname(path), base)
  return file.endsWith(".json") ? file : `${file}.json`
}

/** The effective `moduleResolution`, whose default depends on `module` and the version of TypeScript. */
function resolutionOf({ module = "", moduleResolution = "" }: Options, version: number): string {
  const written = moduleResolution.toLowerCase()
  return written === "" ? defaultFor(module.toLowerCase(), version) : written === "node" ? "node10" : written
}

function defaultFor(module: string, version: number): string {
  if (/^node1[68]$/.test(module)) return "node16"
  if (/^(?:node|preserve)/.test(module) || version >= 6) return "bundler"
  return module === "" || module === "commonjs" ? "node10" : "classic"
}
