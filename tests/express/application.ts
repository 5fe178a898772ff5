import { cp, mkdtemp, realpath, symlink } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createProvider, type FakeProvider } from "@latchkey/testing"
import { afterAll, beforeAll } from "vitest"
import { install, remove } from "../applications/install.js"
import { environment, freePort, launch, type Site } from "../applications/processes.js"

/** The packages that the application has installed under the name `@auth/express`. */
export const packages = ["@auth/express", "@latchkey/express"] as const

export type Package = (typeof packages)[number]

/** A major version of Express, and the mount path of the documentation that works in it. */
export interface Variant {
  readonly express: "express" | "express4"
  readonly mount: string
}

/** The application, installed with each package. */
export interface Application {
  readonly op: FakeProvider
  /** Replaces the running application at the same URL. @returns its origin */
  deploy(name: Package): Promise<string>
}

export function application({ express, mount }: Variant): Application {
  const op = createProvider()
  const folders = new Map<Package, string>()
  let port = 0
  let site: Site | undefined

  beforeAll(async () => {
    port = await freePort()
    await op.listen()
    for (const name of packages) folders.set(name, await installed(name, express))
  })

  afterAll(async () => {
    await site?.stop()
    await Promise.all([...folders.values()].map(remove))
  })

  return {
    op,
    async deploy(name) {
      await site?.stop()
      const env = {
        AUTH_SECRET: "k0Wc5v2uYl1u8mQ7o3nT9xZ4hB6sD1fGp2RjE8tLqVw",
        AUTH_TRUST_HOST: "true",
        AUTH_OP_ISSUER: op.issuer,
        AUTH_OP_ID: op.clientId,
        AUTH_OP_SECRET: op.clientSecret,
        NODE_ENV: "production",
        MOUNT: mount,
        PORT: String(port),
      }
      const command = [process.execPath, "server.js"] as const
      const running = launch(command, { cwd: folders.get(name) ?? "", env: environment(env) })
      await running.until((output) => (output.includes("Listening on") ? true : undefined))
      site = { origin: `http://localhost:${port}`, output: running.output, stop: running.stop }
      return site.origin
    },
  }
}

/** Copies the application to a temporary folder, and installs the package under the name `@auth/express`. */
async function installed(name: Package, express: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "latchkey-express-swap-"))
  await cp(here("app"), folder, { recursive: true })
  await cp(here("package.json"), join(folder, "package.json"))
  const modules = join(folder, "node_modules")
  await install(await realpath(join(here("node_modules"), name)), modules, "@auth/express")
  await symlink(await realpath(join(here("node_modules"), express)), join(modules, "express"), "dir")
  return folder
}

function here(path: string): string {
  return fileURLToPath(new URL(path, import.meta.url))
}
