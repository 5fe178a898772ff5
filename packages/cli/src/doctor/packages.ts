import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { installedAt, type Installed, usesPlugAndPlay } from "../project/installed.js"
import { isSwapped, outdatedIn, type Project, projectAt, rangesOf } from "../project/project.js"
import { type Finding, ok, problem, skipped } from "./finding.js"

/** Checks which package is installed, and whether it's Latchkey. */
export function packageFindings(project: Project): Finding[] {
  // Latchkey may be installed under the name of the package that it replaces.
  const { integration, formerly = integration } = project.framework
  const found = [integration, formerly].find((one) => isListed(project, one) && !isForeign(project, one))
  if (found !== undefined) return [...listedFinding(project, found), ...frameworkFindings(project)]
  return [
    problem(
      "package",
      `${integration} isn't in package.json`,
      "Run `npx latchkey init`, or `npx latchkey migrate` if you come from Auth.js",
    ),
  ]
}

/** Whether package.json has the dependency, or one above it in a monorepo. */
function isListed({ root }: Project, name: string): boolean {
  for (let folder = root; ; folder = dirname(folder)) {
    const manifest = existsSync(join(folder, "package.json")) ? projectAt(folder).manifest : {}
    if (rangesOf(manifest)[name] !== undefined) return true
    if (folder === dirname(folder)) return false
  }
}

/** Whether the name is the package of Auth.js, and not Latchkey under this name. */
export function isForeign(project: Project, name: string): boolean {
  if (name.startsWith("@latchkey/")) return false
  // Nothing says what a folder or file contains before it's installed.
  const isLocal = /^(?:file|link|portal|workspace):/.test(rangesOf(project.manifest)[name] ?? "")
  return !isSwapped(project, name) && !(isLocal && installedAt(project.root, name) === undefined)
}

function listedFinding(project: Project, name: string): Finding[] {
  const installed = installedAt(project.root, name)
  if (installed?.name.startsWith("@latchkey/") === true) return [ok("package", wordsFor(installed, name))]
  if (installed !== undefined) {
    const words = `package.json replaces ${name} with Latchkey, but ${installed.name} ${installed.version} is installed`
    return [problem("package", words, "Install the dependencies")]
  }
  if (usesPlugAndPlay(project.root)) return [skipped("package", `${name} is in package.json; Plug'n'Play wasn't read`)]
  return [problem("package", `${name} is in package.json but isn't installed`, "Install the dependencies")]
}

function wordsFor(installed: Installed, name: string): string {
  const words = `${installed.name} ${installed.version}`
  return installed.name === name ? words : `${words}, installed as ${name}`
}

function frameworkFindings(project: Project): Finding[] {
  const { integration } = project.framework
  return outdatedIn(project).map(({ name, major, oldest }) =>
    problem("package", `${integration} needs ${name} ${oldest} or newer, not ${major}`, `Update ${name}`),
  )
}
