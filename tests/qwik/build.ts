import { cp, mkdir, mkdtemp, readdir, readFile, realpath, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { install, remove } from "../applications/install.js"
import { environment, runToEnd } from "../applications/processes.js"

export type Major = 1 | 2

/** The package that the application has installed under the name `@auth/qwik`. */
export type Package = "@auth/qwik" | "@latchkey/qwik"

/** A production build. */
export interface Built {
  readonly folder: string
  readonly major: Major
  /** The output of both builds. */
  readonly output: string
}

/** Copies the application to a temporary folder, installs the package, and builds client and server without a secret. */
export async function build(major: Major, name: Package): Promise<Built> {
  const folder = await mkdtemp(join(tmpdir(), `latchkey-qwik-${major}-`))
  try {
    await cp(here("app"), folder, { recursive: true })
    if (name === "@latchkey/qwik") await cp(here("passkeys"), folder, { recursive: true })
    if (major === 2) await migrate(folder)
    await cp(here(`only-${major}`), folder, { recursive: true })
    await linkPackages(folder, major, name)
    const client = await viteBuild(folder, [])
    const server = await viteBuild(folder, ["--config", "vite.server.js"])
    return { folder, major, output: client + server }
  } catch (cause) {
    await remove(folder)
    throw cause
  }
}

/** What the migration of an application from Qwik 1 to 2 changes in every file. */
const renamed = [
  ["@builder.io/qwik-city", "@qwik.dev/router"],
  ["@builder.io/qwik", "@qwik.dev/core"],
  ["qwikCity", "qwikRouter"],
] as const

async function migrate(folder: string): Promise<void> {
  const paths = await readdir(folder, { recursive: true })
  for (const path of paths.filter((path) => /\.(?:ts|tsx|js|json)$/.test(path))) {
    const text = await readFile(join(folder, path), "utf8")
    await writeFile(
      join(folder, path),
      renamed.reduce((text, [from, to]) => text.replaceAll(from, to), text),
    )
  }
}

const qwik: Readonly<Record<Major, readonly string[]>> = {
  1: ["@builder.io/qwik", "@builder.io/qwik-city"],
  2: ["@qwik.dev/core", "@qwik.dev/router"],
}

/** Qwik's plugin for Vite finds packages with Qwik code in the dependencies of package.json. */
async function linkPackages(folder: string, major: Major, name: Package): Promise<void> {
  const installed = here(`with-${major}/node_modules`)
  const modules = join(folder, "node_modules")
  const alias = "@auth/qwik"
  await install(await realpath(join(installed, name)), modules, alias)
  await install(await realpath(join(installed, "@latchkey/sql")), modules, "@latchkey/sql")
  const linked = [...qwik[major], "vite", "@simplewebauthn/server"]
  for (const name of linked) {
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(await realpath(join(installed, name)), join(modules, name), "dir")
  }
  const devDependencies = Object.fromEntries([...linked, alias].map((name) => [name, "*"]))
  const manifest = { private: true, type: "module", devDependencies, dependencies: { "@latchkey/sql": "*" } }
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest))
}

function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}

async function viteBuild(folder: string, flags: readonly string[]): Promise<string> {
  const command = [process.execPath, "node_modules/vite/bin/vite.js", "build", ...flags] as const
  const { code, output } = await runToEnd(command, { cwd: folder, env: environment() }, 170_000)
  if (code !== 0) throw new Error(`${command.slice(1).join(" ")} failed:\n${output}`)
  return output
}
