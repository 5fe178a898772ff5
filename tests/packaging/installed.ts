import { execFile } from "node:child_process"
import { cp, mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { root } from "./compiler.js"

const run = promisify(execFile)

interface Manifest {
  readonly name: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

interface Packer {
  packAll(folder: string, names?: readonly string[]): Promise<readonly string[]>
}

/**
 * Packs packages as `npm run pack` does, from what is built. Returns the paths of the tarballs.
 *
 * @param names of folders in `packages`. @default all
 */
export async function packAll(names?: readonly string[]): Promise<readonly string[]> {
  const { packAll } = (await import(new URL("../../tools/commands/pack.mjs", import.meta.url).href)) as Packer
  return packAll(await mkdtemp(join(tmpdir(), "latchkey-packed-")), names)
}

/**
 * A project that has the packed packages in `node_modules`, also under the names of the packages that they replace. Their
 * dependencies are links to those of the workspace, so this needs no registry.
 */
export async function install(): Promise<string> {
  const project = await mkdtemp(join(tmpdir(), "latchkey-installed-"))
  const modules = join(project, "node_modules")
  const tarballs = await packAll()
  const unpacked = await Promise.all(tarballs.map((tarball) => unpack(tarball, modules)))
  await rm(dirname(tarballs[0] ?? ""), { recursive: true, force: true })
  await Promise.all(unpacked.map(({ from, manifest }) => linkDependencies(from, manifest, modules)))
  for (const [name, replaced] of replacements)
    await cp(join(modules, name), join(modules, replaced), { recursive: true })
  const types = ["@types/node", "@types/react", "@types/express"]
  for (const name of types) await link(join(root, "tests", "packaging", "node_modules", name), join(modules, name))
  return project
}

const replacements = [
  ["@latchkey/next", "next-auth"],
  ["@latchkey/core", "@auth/core"],
  ["@latchkey/express", "@auth/express"],
  ["@latchkey/qwik", "@auth/qwik"],
] as const

async function unpack(tarball: string, modules: string): Promise<{ from: string; manifest: Manifest }> {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-unpacked-"))
  await run("tar", ["-xzf", tarball, "-C", folder])
  const manifest: unknown = JSON.parse(await readFile(join(folder, "package", "package.json"), "utf8"))
  const { name } = manifest as Manifest
  await cp(join(folder, "package"), join(modules, name), { recursive: true })
  await rm(folder, { recursive: true })
  const short = name === "latchkey" ? "cli" : name.replace("@latchkey/", "")
  return { from: join(root, "packages", short, "node_modules"), manifest: manifest as Manifest }
}

async function linkDependencies(from: string, { dependencies, peerDependencies }: Manifest, modules: string) {
  const names = Object.keys({ ...dependencies, ...peerDependencies }).filter((name) => !name.startsWith("@latchkey/"))
  for (const name of names) await link(join(from, name), join(modules, name))
}

async function link(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true })
  await symlink(from, to).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error
  })
}
