import { readdirSync } from "node:fs"
import { join } from "node:path"
import { shown } from "../project/find-configuration.js"

/** The files of an application that `migrate` reads: code, components, and files that configure or deploy it. */
export interface Tree {
  /** The files of each folder with a package.json, by that folder. `""` is the root. */
  readonly packages: ReadonlyMap<string, readonly string[]>
  /** Whether the folder has more files than `maxFiles`. */
  readonly isTruncated: boolean
}

const maxFiles = 50_000
/** Outputs, if they are next to a package.json. Deeper, such as `app/build/page.tsx`, these are names like any other. */
const outputs = new Set(["dist", "build", "out", "coverage", "public"])
const dotFolders = new Set([
  ".github",
  ".circleci",
  ".gitlab",
  ".storybook",
  ".devcontainer",
  ".buildkite",
  ".ebextensions",
])

export const isCode = (path: string): boolean => /\.[cm]?[jt]sx?$/.test(path) && !path.endsWith(".min.js")
export const isComponent = (path: string): boolean => /\.(?:vue|svelte|astro)$/.test(path)
export const isEnvFile = (path: string): boolean => /(?:^|\/)\.env(?:\.[\w.-]+)?$/.test(path)

const locks = /(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|yarn\.lock|bun\.lock)$/
const settings =
  /\.(?:json[c5]?|ya?ml|toml|tf|hcl|sh|bash|ps1|conf|properties|ini|env|service|nix|tpl)$|(?:^|\/)(?:[\w.-]*Dockerfile[\w.-]*|Containerfile|Makefile|Procfile|Jenkinsfile|Caddyfile|justfile|\.npmrc|\.\w+rc)$/

/** Files that configure, build or deploy the application. */
export const isSetting = (path: string): boolean => settings.test(path) && !locks.test(path)

export function treeOf(root: string): Tree {
  const packages = new Map<string, string[]>()
  let count = 0
  const visit = (folder: string, owner: string[]): void => {
    const items = readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))
    const isPackage = folder === root || items.some((item) => item.isFile() && item.name === "package.json")
    const files = isPackage ? [] : owner
    if (isPackage) packages.set(shown(root, folder), files)
    const paths = items.filter((item) => item.isFile()).map(({ name }) => shown(root, join(folder, name)))
    for (const path of paths.filter(isRead)) if (count++ < maxFiles) files.push(path)
    const folders = items.filter((item) => item.isDirectory() && isVisited(item.name, isPackage))
    for (const { name } of folders) visit(join(folder, name), files)
  }
  visit(root, [])
  return { packages, isTruncated: count > maxFiles }
}

function isVisited(name: string, isBesideManifest: boolean): boolean {
  if (name === "node_modules" || (isBesideManifest && outputs.has(name))) return false
  return !name.startsWith(".") || dotFolders.has(name)
}

function isRead(path: string): boolean {
  return (isCode(path) && !path.endsWith("next-env.d.ts")) || isComponent(path) || isEnvFile(path) || isSetting(path)
}
