import { cp, mkdir, mkdtemp, realpath, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { createProvider, type FakeProvider } from "@latchkey/testing"
import { afterAll, beforeAll } from "vitest"
import { install, remove } from "../applications/install.js"
import { type Command, environment, freePort, launch, runToEnd, type Site } from "../applications/processes.js"
import { type Services, startServices } from "../applications/services.js"

/** The package that the application has installed under the name `@auth/sveltekit`. */
export type Package = "@auth/sveltekit" | "@latchkey/sveltekit"

export const packages: readonly Package[] = ["@auth/sveltekit", "@latchkey/sveltekit"]

/** The application, built with each package, and what it talks to. */
export interface Application {
  readonly op: FakeProvider
  readonly services: Services
  /** The folder of a build. */
  built(name: Package): string
  /** Replaces the running application, at the same URL and with the same database. @returns its origin */
  deploy(name: Package, strategy?: "jwt" | "database"): Promise<string>
}

export function application(): Application {
  const op = createProvider()
  const folders = new Map<Package, string>()
  let parts: { readonly services: Services; readonly data: string; readonly port: number } | undefined
  let site: Site | undefined

  function ready(): NonNullable<typeof parts> {
    if (parts === undefined) throw new Error("The application isn't built yet")
    return parts
  }

  function built(name: Package): string {
    const folder = folders.get(name)
    if (folder === undefined) throw new Error(`There is no build with ${name}`)
    return folder
  }

  beforeAll(async () => {
    const [services] = await Promise.all([startServices(), op.listen()])
    const data = await mkdtemp(join(tmpdir(), "latchkey-sveltekit-data-"))
    parts = { services, data, port: await freePort() }
    for (const name of packages) folders.set(name, await build(name))
  }, 420_000)

  afterAll(async () => {
    await site?.stop()
    await Promise.all([...folders.values()].map(remove))
    if (parts !== undefined) await Promise.all([parts.services.close(), remove(parts.data)])
  })

  return {
    op,
    built,
    get services() {
      return ready().services
    },
    async deploy(name, strategy = "jwt") {
      await site?.stop()
      const { services, data, port } = ready()
      const origin = `http://localhost:${port}`
      const env = {
        AUTH_SECRET: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
        AUTH_OP_ISSUER: op.issuer,
        AUTH_OP_ID: op.clientId,
        AUTH_OP_SECRET: op.clientSecret,
        SERVICES_URL: services.url,
        DATABASE: join(data, "shared.db"),
        STRATEGY: strategy,
        NODE_ENV: "production",
        ORIGIN: origin,
        HOST: "localhost",
        PORT: String(port),
      }
      const running = launch([process.execPath, "build"], { cwd: built(name), env: environment(env) })
      await running.until((output) => (output.includes("Listening on") ? true : undefined))
      site = { origin, output: running.output, stop: running.stop }
      return origin
    },
  }
}

/** Copies the application to a temporary folder, installs the package under the name `@auth/sveltekit`, and builds it. */
async function build(name: Package): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-sveltekit-"))
  try {
    await cp(here("app"), folder, { recursive: true })
    const installed = here("with-2/node_modules")
    const modules = join(folder, "node_modules")
    await install(await realpath(join(installed, name)), modules, "@auth/sveltekit")
    await install(await realpath(join(installed, "@latchkey/sql")), modules, "@latchkey/sql")
    for (const linked of svelte) {
      await mkdir(dirname(join(modules, linked)), { recursive: true })
      await symlink(await realpath(join(installed, linked)), join(modules, linked), "dir")
    }
    const devDependencies = Object.fromEntries([...svelte, "@auth/sveltekit"].map((each) => [each, "*"]))
    const manifest = { private: true, type: "module", devDependencies, dependencies: { "@latchkey/sql": "*" } }
    await writeFile(join(folder, "package.json"), JSON.stringify(manifest))
    await run(folder, [process.execPath, "node_modules/vite/bin/vite.js", "build"])
    return folder
  } catch (cause) {
    await remove(folder)
    throw cause
  }
}

const svelte = [
  "@sveltejs/adapter-node",
  "@sveltejs/kit",
  "@sveltejs/vite-plugin-svelte",
  "@types/node",
  "svelte",
  "vite",
]

/** Runs a program in the folder of a build, and fails if it does. */
export async function run(folder: string, command: Command): Promise<string> {
  const { code, output } = await runToEnd(command, { cwd: folder, env: environment() }, 170_000)
  if (code !== 0) throw new Error(`${command.slice(1).join(" ")} exited with code ${code}:\n${output}`)
  return output
}

function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}
