import { cp, mkdir, mkdtemp, realpath, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { install, remove } from "../applications/install.js"
import { environment, runToEnd } from "../applications/processes.js"

export type Major = 14 | 15 | 16

/** The source of an application. */
export interface Source {
  /** Name of a folder next to this file. */
  readonly folder: string
  readonly major: Major
  /** Contents of files that differ between majors or variants, by path. */
  readonly files?: Readonly<Record<string, string>>
  /** @default the bundler that the major uses by default: webpack for 14 and 15, Turbopack for 16 */
  readonly bundler?: "webpack"
  /** Additional settings for next.config. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** Packages under other names, as with `npm install next-auth@npm:@latchkey/next`: `{ "next-auth": "@latchkey/next" }`. */
  readonly alias?: Readonly<Record<string, string>>
}

/** A production build. */
export interface Built {
  readonly folder: string
  readonly major: Major
  /** The output of `next build`. */
  readonly output: string
}

/** Skip type checks and lint, which other commands run. */
const unchecked = { typescript: { ignoreBuildErrors: true } }
const unlinted = { eslint: { ignoreDuringBuilds: true } }

const settings: Readonly<Record<Major, Readonly<Record<string, unknown>>>> = {
  14: { ...unchecked, ...unlinted, outputFileTracing: false },
  15: { ...unchecked, ...unlinted },
  // Packages are links to folders outside the application.
  16: { ...unchecked, turbopack: { root: "/" } },
}

/** Copies the source to a temporary folder, links the packages of its major, and runs `next build` without a secret. */
export async function build(source: Source): Promise<Built> {
  const { major } = source
  const folder = await mkdtemp(join(tmpdir(), `latchkey-next-${major}-`))
  try {
    await cp(here(source.folder), folder, { recursive: true })
    await mkdirs(folder, filesOf(source))
    await linkPackages(folder, source)
    const { code, output } = await nextBuild(folder, source)
    if (code !== 0) throw new Error(`Building ${source.folder} with Next.js ${major} failed:\n${output}`)
    return { folder, major, output }
  } catch (cause) {
    await remove(folder)
    throw cause
  }
}

export function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}

export const next = "node_modules/next/dist/bin/next"

function filesOf({ major, files = {}, settings: own = {}, bundler }: Source): Readonly<Record<string, string>> {
  const given = JSON.stringify({ ...settings[major], ...own })
  const isTurbopack = major === 16 && bundler === undefined
  const config = isTurbopack
    ? `export default ${given}\n`
    : `export default { ...${given}, ${resolveFromApplication} }\n`
  return { "package.json": '{ "private": true, "type": "module" }\n', "next.config.mjs": config, ...files }
}

/** The linked packages have the newest React in their own node_modules. Resolve React from the application instead. */
const resolveFromApplication = `webpack(config) {
  config.resolve.modules.unshift(process.cwd() + "/node_modules")
  return config
}`

async function mkdirs(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

async function linkPackages(folder: string, { major, alias }: Source): Promise<void> {
  const installed = here(`with-${major}/node_modules`)
  if (alias === undefined) return symlink(installed, join(folder, "node_modules"), "dir")
  const modules = join(folder, "node_modules")
  await mkdir(modules)
  for (const name of ["next", "react", "react-dom"]) await symlink(join(installed, name), join(modules, name), "dir")
  for (const [name, real] of Object.entries(alias)) await install(await realpath(join(installed, real)), modules, name)
}

function nextBuild(folder: string, { bundler }: Source): Promise<{ code: number | null; output: string }> {
  const flags = bundler === undefined ? [] : [`--${bundler}`]
  return runToEnd([process.execPath, next, "build", ...flags], { cwd: folder, env: environment() }, 400_000)
}
