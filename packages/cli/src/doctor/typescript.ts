import { join } from "node:path"
import { type CompilerOptions, compilerOptionsOf } from "../project/compiler-options.js"
import { isFile } from "../project/files.js"
import { installedAt } from "../project/installed.js"
import { majorIn, type Project } from "../project/project.js"
import { type Finding, problem } from "./finding.js"

/** Problems of tsconfig.json with finding the types of Latchkey. */
export function typescriptFindings(project: Project): Finding[] {
  const path = join(project.root, "tsconfig.json")
  if (!project.typescript || !isFile(path)) return []
  const version = majorIn(installedAt(project.root, "typescript")?.version) ?? 5
  const fault = faultOf(resolutionOf(compilerOptionsOf(path), version), version, project)
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

/** The effective `moduleResolution`, whose default depends on `module` and the version of TypeScript. */
function resolutionOf({ module = "", moduleResolution = "" }: CompilerOptions, version: number): string {
  const written = moduleResolution.toLowerCase()
  return written === "" ? defaultFor(module.toLowerCase(), version) : written === "node" ? "node10" : written
}

function defaultFor(module: string, version: number): string {
  if (/^node1[68]$/.test(module)) return "node16"
  if (/^(?:node|preserve)/.test(module) || version >= 6) return "bundler"
  return module === "" || module === "commonjs" ? "node10" : "classic"
}
