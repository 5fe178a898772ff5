import { readdirSync, readFileSync } from "node:fs"
import { basename, join, relative, sep } from "node:path"
import { Failure } from "../failure.js"
import { isFile } from "./files.js"
import { type Configuration, configurationsIn } from "../source/configurations.js"
import { providersOf } from "../source/providers.js"
import { parse, type Source } from "../source/syntax.js"

/** A file with at least one configuration. */
export interface ConfigurationFile {
  /** Relative to the root, with slashes. */
  readonly path: string
  readonly source: Source
  readonly configurations: readonly Configuration[]
}

const code = /\.[cm]?[jt]sx?$/
const skipped = new Set(["node_modules", "dist", "build", "out", "coverage", "public", "test", "tests", "__tests__"])
/** A limit for folders with generated files. */
const maxFiles = 5000

/** The paths of all source files, relative to the root, with slashes. Files closer to the root come first. */
export function sourceFiles(root: string): string[] {
  const files: string[] = []
  const folders = [root]
  for (let folder = folders.shift(); folder !== undefined && files.length < maxFiles; folder = folders.shift()) {
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

const hints = /(?:next-auth|@auth\/|@hono\/auth-js|auth-astro|@latchkey\/)/
const usualNames = /^(?:plugin@)?auth(?:\.config)?\.[cm]?[jt]sx?$/

/** The files with a configuration, most likely first, without those that have syntax errors. */
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
 * The configuration to work on: in the named file, or the most likely one. In a split configuration, it's the part with the
 * list of providers.
 *
 * @throws Failure if there is none
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
      "No configuration was found: no object with the type `AuthConfig`, and no call such as `NextAuth({ … })`. Run `npx latchkey init`, or name the file with --config.",
    )
  }
  const listed = file.configurations.find(({ object }) => providersOf(file.source, object).kind === "array")
  const configuration = listed ?? file.configurations[0]
  if (configuration === undefined)
    throw new Failure(`${file.path} has no configuration. Name another file with --config.`)
  return { file, configuration }
}

function namedFile(root: string, named: string): ConfigurationFile[] {
  const path = join(root, named)
  if (!isFile(path))
    throw new Failure(`There is no file ${named} in ${root}. Name the configuration file.`, { code: 2 })
  const text = readFileSync(path, "utf8")
  const source = parse(named, text)
  const configurations = configurationsIn(source)
  if (configurations.length === 0) {
    throw new Failure(
      `${named} has no configuration: no object with the type AuthConfig, and no call such as NextAuth({ … }). Name another file.`,
    )
  }
  return [{ path: named, source, configurations }]
}
