import { cp, mkdir, mkdtemp, realpath, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { createProvider, type FakeProvider } from "@latchkey/testing"
import { afterAll, beforeAll } from "vitest"
import { install, remove } from "../applications/install.js"
import { type Command, environment, freePort, launch, runToEnd, type Site } from "../applications/processes.js"

/** The packages that the application has installed under the name `@auth/solid-start`. */
export const packages = ["@auth/solid-start", "@latchkey/solid-start"] as const

export type Package = (typeof packages)[number]

/** The application, built with each package. */
export interface Application {
  readonly op: FakeProvider
  /** The folder of a build. */
  built(name: Package): string
  /** Replaces the running application at the same URL. @returns its origin */
  deploy(name: Package): Promise<string>
}

export function application(): Application {
  const op = createProvider()
  const folders = new Map<Package, string>()
  let port: number
  let site: Site | undefined

  function built(name: Package): string {
    const folder = folders.get(name)
    if (folder === undefined) throw new Error(`There is no build with ${name}`)
    return folder
  }

  beforeAll(async () => {
    port = await freePort()
    await op.listen()
    for (const name of packages) folders.set(name, await build(name))
  }, 420_000)

  afterAll(async () => {
    await site?.stop()
    await Promise.all([...folders.values()].map(remove))
  })

  return {
    op,
    built,
    async deploy(name) {
      await site?.stop()
      const env = {
        AUTH_SECRET: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
        AUTH_OP_ISSUER: op.issuer,
        AUTH_OP_ID: op.clientId,
        AUTH_OP_SECRET: op.clientSecret,
        NODE_ENV: "production",
        HOST: "localhost",
        PORT: String(port),
      }
      const command = [process.execPath, ".output/server/index.mjs"] as const
      const running = launch(command, { cwd: built(name), env: environment(env) })
      await running.until((output) => (output.includes("Listening on") ? true : undefined))
      site = { origin: `http://localhost:${port}`, output: running.output, stop: running.stop }
      return site.origin
    },
  }
}

const linked = ["@solidjs/router", "@solidjs/start", "@types/node", "nitro", "solid-js", "vite"]

/** Copies the application to a temporary folder, installs the package under the name `@auth/solid-start`, and builds it. */
async function build(name: Package): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-solid-start-swap-"))
  try {
    await cp(here("app"), folder, { recursive: true })
    const installed = here("node_modules")
    const modules = join(folder, "node_modules")
    await install(await realpath(join(installed, name)), modules, "@auth/solid-start")
    for (const each of linked) {
      await mkdir(dirname(join(modules, each)), { recursive: true })
      await symlink(await realpath(join(installed, each)), join(modules, each), "dir")
    }
    const dependencies = Object.fromEntries([...linked, "@auth/solid-start"].map((each) => [each, "*"]))
    await writeFile(join(folder, "package.json"), JSON.stringify({ private: true, type: "module", dependencies }))
    await run(folder, [process.execPath, "node_modules/vite/bin/vite.js", "build"])
    return folder
  } catch (cause) {
    await remove(folder)
    throw cause
  }
}

/** Runs a program in the folder of a build, and fails if it does. */
export async function run(folder: string, command: Command): Promise<string> {
  const { code, output } = await runToEnd(command, { cwd: folder, env: environment() }, 170_000)
  if (code !== 0) throw new Error(`${command.slice(1).join(" ")} exited with code ${code}:\n${output}`)
  return output
}

function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}
