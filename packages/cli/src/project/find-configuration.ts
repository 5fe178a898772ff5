import { existsSync, readdirSync, readFileSync } from "node:fs"
import { basename, join, relative, sep } from "node:path"
import { Failure } from "../failure.js"
import { type Configuration, configurationsIn } from "../source/configurations.js"
import { providersOf } from "../source/providers.js"
import { parse, type Source } from "../source/syntax.js"

/** A file with a configuration in it. */
export interface ConfigurationFile {
  /** Below the root, with slashes. */
  readonly path: string
  readonly source: Source
  readonly configurations: readonly Configuration[]
}

const code = /\.[cm]?[jt]sx?$/
const skipped = new Set(["node_modules", "dist", "build", "out", "coverage", "public", "test", "tests", "__tests__"])
/** Folders of frameworks and tools begin with a dot. More files than these are no application's own. */
const mostFiles = 5000

/** The paths of all source files below the root, with slashes, those nearest to it first. */
export function sourceFiles(root: string): string[] {
  const files: string[] = []
  const folders = [root]
  for (let folder = folders.shift(); folder !== undefined && files.length < mostFiles; folder = folders.shift()) {
    for (const item of readdirSync(folder, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(folder, item.name)
      if (item.isDirectory() && !skipped.has(item.name) && !item.name.startsWith(".")) folders.push(path)
      if (item.isFile() && code.test(item.name) && !item.name.endsWith(".d.ts")) files.push(shown(root, path))
    }
  }
  return files
}

export function shown(root: string, path: string): string {
  return relative(root, path).split(sep).join("/")
}

const hints = /(?:next-auth|@auth\/|@latchkey\/)/
const usualNames = /^(?:plugin@)?auth(?:\.config)?\.[cm]?[jt]sx?$/

/** Every file with a configuration, the likeliest first. Files that cannot be read are left out. */
export function configurationFiles(root: string): ConfigurationFile[] {
  return sourceFiles(root)
    .flatMap((path) => {
      const text = readFileSync(join(root, path), "utf8")
      return hints.test(text) ? configurationFile(path, text) : []
    })
    .toSorted((a, b) => rank(b) - rank(a))
}

function configurationFile(path: string, text: string): ConfigurationFile[] {
  try {
    const source = parse(path, text)
    const configurations = configurationsIn(source)
    return configurations.length === 0 ? [] : [{ path, source, configurations }]
  } catch (error) {
    if (error instanceof Failure) return []
    throw error
  }
}

function rank({ path, configurations, source }: ConfigurationFile): number {
  const hasList = configurations.some(({ object }) => providersOf(source, object).kind === "array")
  const isCalled = configurations.some((configuration) => configuration.isCalled)
  return (usualNames.test(basename(path)) ? 4 : 0) + (hasList ? 2 : 0) + (isCalled ? 1 : 0)
}

/**
 * The configuration to work on: that of the file that was named, or the likeliest one. In a split configuration it is
 * the part that holds the list of providers.
 *
 * @throws Failure when there is none
 */
export function findConfiguration(
  root: string,
  named: string | undefined,
): { file: ConfigurationFile; configuration: Configuration } {
  const files = named === undefined ? configurationFiles(root) : namedFile(root, named)
  const withLists = files.filter(({ source, configurations }) =>
    configurations.some(({ object }) => providersOf(source, object).kind === "array"),
  )
  const [file] = withLists.length > 0 ? withLists : files
  if (file === undefined) {
    throw new Failure(
      "No configuration was found (a call of NextAuth, ExpressAuth or Auth): run `npx latchkey init`, or name the file with --config",
    )
  }
  const listed = file.configurations.find(({ object }) => providersOf(file.source, object).kind === "array")
  const configuration = listed ?? file.configurations[0]
  if (configuration === undefined)
    throw new Failure(`${file.path} has no configuration: name another file with --config`)
  return { file, configuration }
}

function namedFile(root: string, named: string): ConfigurationFile[] {
  const path = join(root, named)
  if (!existsSync(path))
    throw new Failure(`${named} is not there: name the configuration file below ${root}`, { code: 2 })
  const text = readFileSync(path, "utf8")
  const source = parse(named, text)
  const configurations = configurationsIn(source)
  if (configurations.length === 0) {
    throw new Failure(
      `${named} has no configuration in it (a call of NextAuth, ExpressAuth or Auth): name another file`,
    )
  }
  return [{ path: named, source, configurations }]
}
