import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, readFile, rename, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const run = promisify(execFile)
const root = fileURLToPath(new URL("../..", import.meta.url))
const pinned = join(root, "tests", "packaging", "runtimes")
const installed = join(root, "node_modules", ".cache", "runtimes")

/** Without scripts and reports. */
export const npmFlags = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--loglevel=error"]

/** The pinned runtimes are programs for this platform. */
export const hasRuntimes: boolean = process.platform === "linux" && process.arch === "x64"

const packages = {
  bun: { name: "Bun", path: "@oven/bun-linux-x64", bin: "bin" },
  deno: { name: "Deno", path: "@deno/linux-x64-glibc", bin: "." },
} as const

export type RuntimeId = keyof typeof packages

/** The folder with the program of a runtime. */
export function runtimeFolder(id: RuntimeId): string {
  const { path, bin } = packages[id]
  return join(installed, "node_modules", path, bin)
}

export function nodeProgram(version: "20.0" | "20.19" | "22.12" | "22.13" | "26"): string {
  return join(installed, "node_modules", `node-${version}`, "bin", "node")
}

/** Name and version of a runtime, such as `Bun 1.4.5`. */
export async function runtimeTitle(id: RuntimeId): Promise<string> {
  const manifest: { readonly dependencies: Readonly<Record<string, string>> } = JSON.parse(
    await readFile(join(pinned, "package.json"), "utf8"),
  )
  const { name, path } = packages[id]
  return `${name} ${manifest.dependencies[path]}`
}

/** Brings the runtimes that tests/packaging/runtimes pins. npm checks each against its hash. */
export async function installRuntimes(): Promise<void> {
  if (await areInstalled()) return
  // Another test file may install them at the same time.
  await mkdir(dirname(installed), { recursive: true })
  const folder = await mkdtemp(`${installed}-`)
  await cp(pinned, folder, { recursive: true })
  await run("npm", ["ci", ...npmFlags], { cwd: folder })
  if (await areInstalled()) return rm(folder, { recursive: true })
  await rm(installed, { recursive: true, force: true })
  await rename(folder, installed)
}

async function areInstalled(): Promise<boolean> {
  const locks = [join(pinned, "package-lock.json"), join(installed, "node_modules", ".package-lock.json")]
  const [wanted, found] = await Promise.all(locks.map(hashesIn))
  return wanted === found
}

async function hashesIn(lock: string): Promise<string | undefined> {
  const text = await readFile(lock, "utf8").catch(() => "")
  return text.match(/"integrity": "[^"]+"/g)?.join("\n")
}
