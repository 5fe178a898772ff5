import { existsSync, readFileSync } from "node:fs"
import { basename, join, relative } from "node:path"
import { capture, Failure } from "./shell.mjs"
import { filesBelow, readManifest, root, shown, workspaceFolders } from "./workspace.mjs"

const suites = join(root, "tests", "frameworks")

/**
 * The suites of frameworks that a change doesn't reach: neither their example nor a package that it depends on has changed.
 * @param {string} base a commit or branch
 * @returns {Promise<string[]>} paths of test files
 */
export async function unchangedSuites(base) {
  const { code, stdout } = await capture("git", ["diff", "--name-only", "--merge-base", base], { cwd: root })
  if (code !== 0) throw new Failure(`git knows no \`${base}\`. Name a commit or a branch.`)
  const changed = stdout.split("\n").filter((line) => line !== "")
  const folders = foldersByName()
  return filesBelow(suites)
    .filter((path) => path.endsWith(".test.ts") && !basename(path).startsWith("matrix."))
    .filter((path) => !changed.some((file) => concerns(file, [shown(path), ...sourcesOf(path, folders)])))
    .map(shown)
}

/** The suite itself, what it starts applications with, and the lockfile belong to every framework. */
const shared =
  /^tests\/frameworks\/(?!apps\/|[^/]*\.test\.ts$)|^tests\/(?:applications|browser|setup)\/|^pnpm-lock\.yaml$/

/** @param {string} file @param {readonly string[]} paths */
function concerns(file, paths) {
  return shared.test(file) || paths.some((path) => file === path || file.startsWith(`${path}/`))
}

/** The folders of the example, of files that the suite adds, and of the workspace packages that it needs. @param {string} suite @param {Map<string, string>} folders */
function sourcesOf(suite, folders) {
  const text = readFileSync(suite, "utf8")
  const name = /example: "([^"]+)"/.exec(text)?.[1] ?? ""
  const example = name.startsWith("./") ? join(suites, name) : join(root, "examples", name)
  const added = [...text.matchAll(/filesIn\("([^"]+)"\)/g)].map(([, path = ""]) => join(suites, path))
  const found = new Set([example, ...added])
  for (const folder of found) {
    if (!existsSync(join(folder, "package.json"))) continue
    const { dependencies = {}, devDependencies = {} } = readManifest(join(folder, "package.json"))
    // What a package only tests with isn't part of the application.
    const names = Object.keys(folder === example ? { ...dependencies, ...devDependencies } : dependencies)
    for (const next of names.flatMap((dependency) => folders.get(dependency) ?? [])) found.add(next)
  }
  return [...found].map((folder) => relative(root, folder))
}

function foldersByName() {
  return new Map(workspaceFolders().map((folder) => [readManifest(join(folder, "package.json")).name, folder]))
}
