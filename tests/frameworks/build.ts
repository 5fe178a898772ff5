import { existsSync } from "node:fs"
import { cp, mkdir, mkdtemp, readdir, readFile, realpath, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { basename, delimiter, dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { install, remove } from "../applications/install.js"
import { environment, runToEnd } from "../applications/processes.js"
import { installRuntimes, runtimeFolder } from "../applications/runtimes.js"
import type { Framework } from "./framework.js"

type Env = Readonly<Record<string, string>>

const root = fileURLToPath(new URL("../..", import.meta.url))
const here = join(root, "tests", "frameworks")

/** What the configuration of the suite imports. */
const ours = ["@latchkey/core", "@latchkey/mfa", "@latchkey/sql", "@simplewebauthn/server"]

/**
 * Copies the example to a temporary folder, links its packages, and builds it without a secret.
 *
 * @param prepare changes the copy, by default its configuration
 */
export async function build(
  framework: Framework,
  prepare: (folder: string) => Promise<void> = replaceConfig,
): Promise<string> {
  if (framework.runtime !== undefined) await installRuntimes()
  const folder = await mkdtemp(join(tmpdir(), `latchkey-${framework.id}-`))
  try {
    const example = exampleFolder(framework)
    const kept = await keptFiles(example)
    for (const name of kept) await cp(join(example, name), join(folder, name), { recursive: true })
    await prepare(folder)
    for (const [path, text] of Object.entries(framework.files ?? {})) {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    await linkPackages(folder, framework)
    for (const command of framework.build ?? []) {
      const { code, output } = await runToEnd(command, { cwd: folder, env: variables(framework, folder) }, 400_000)
      if (code !== 0)
        throw new Error(`\`${command.join(" ")}\` of ${framework.example} exited with code ${code}:\n${output}`)
    }
    return folder
  } catch (cause) {
    await remove(folder)
    throw cause
  }
}

/** The folder with the example. */
export function exampleFolder({ example }: Framework): string {
  return example.startsWith("./") ? join(here, example) : join(root, "examples", example)
}

/** Where a package is installed that the example uses. */
export function packagePath(framework: Framework, name: string): string {
  const { packages = {}, tools = [] } = framework
  const isOurs = name in packages || tools.includes(name)
  return resolve(isOurs ? here : exampleFolder(framework), "node_modules", packages[name] ?? name)
}

/** The environment of an application, with its programs in `PATH`. */
export function variables({ runtime }: Framework, folder: string, given: Env = {}): Record<string, string> {
  const env = environment({ NODE_ENV: "production", ...given })
  const other = runtime === undefined ? [] : [runtimeFolder(runtime)]
  const path = [join(folder, "node_modules", ".bin"), ...other, dirname(process.execPath), env["PATH"]]
  return { ...env, PATH: path.join(delimiter) }
}

/** Sources, without what git ignores. A folder with sources of the example may be called `server`. */
export async function keptFiles(example: string): Promise<readonly string[]> {
  const ignored = existsSync(join(example, ".gitignore")) ? await readFile(join(example, ".gitignore"), "utf8") : ""
  const names = new Set(ignored.split("\n").map((line) => line.trim().replaceAll(/^\/|\/$/g, "")))
  const found = await readdir(example)
  return found.filter((name) => !names.has(name) && !["node_modules", "test", "dist"].includes(name))
}

async function replaceConfig(folder: string): Promise<void> {
  const paths = await readdir(folder, { recursive: true })
  const own = paths.filter((path) => basename(path) === "auth.config.ts")
  if (own.length !== 1) throw new Error(`An example has one auth.config.ts, and this one has ${own.length}.`)
  for (const path of own) await cp(join(here, "app", "auth.config.ts"), join(folder, path))
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

/** Packages of this repository are copied, as npm installs them. Bundlers treat links to other folders as sources. */
async function linkPackages(folder: string, framework: Framework): Promise<void> {
  const { tools = [] } = framework
  const example = exampleFolder(framework)
  const manifest: Manifest = JSON.parse(await readFile(join(example, "package.json"), "utf8"))
  const modules = join(folder, "node_modules")
  await mkdir(modules)
  const links = join(example, "node_modules", ".bin")
  if (existsSync(links)) await cp(links, join(modules, ".bin"), { recursive: true })
  const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
  for (const name of new Set([...names, ...ours, ...tools])) {
    const path = await realpath(
      [...names, ...tools].includes(name) ? packagePath(framework, name) : join(here, "node_modules", name),
    )
    if (path.startsWith(join(root, "packages"))) await install(path, modules, name)
    else await link(path, join(modules, name))
  }
}

async function link(path: string, at: string): Promise<void> {
  await mkdir(dirname(at), { recursive: true })
  if (!existsSync(at)) await symlink(path, at, "dir")
}
