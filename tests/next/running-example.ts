import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { cp, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { remove } from "../applications/install.js"
import { environment, freePort, host } from "../applications/processes.js"
import { type Built, next } from "./build.js"
import { serve } from "./serve.js"

/** A production build of an example, running with an empty database. */
export interface RunningExample {
  readonly origin: string
  /** The output so far. */
  output(): string
  /** Also removes its folder. */
  stop(): Promise<void>
}

/** Builds and starts a copy, so that the files in the repository stay as they are. */
export async function startExample(
  name: "next" | "next-custom" | "next-pages",
  env: Readonly<Record<string, string>> = {},
  node: string = process.execPath,
): Promise<RunningExample> {
  const folder = await mkdtemp(join(tmpdir(), `latchkey-example-${name}-`))
  try {
    await copy(fileURLToPath(new URL(`../../examples/${name}`, import.meta.url)), folder)
    const output = await build(folder, node)
    const site = await start({ folder, major: 16, output }, env, node)
    const stop = async () => {
      await site.stop()
      await remove(folder)
    }
    return { origin: site.origin, output: site.output, stop }
  } catch (cause) {
    await remove(folder)
    throw cause
  }
}

/** Copies the example without builds, secrets and databases. */
async function copy(example: string, folder: string): Promise<void> {
  for (const path of ["src", "package.json", "tsconfig.json"]) {
    await cp(join(example, path), join(folder, path), { recursive: true })
  }
  await symlink(join(example, "node_modules"), join(folder, "node_modules"), "dir")
  const config = await readFile(join(example, "next.config.ts"), "utf8")
  // The copy is outside the repository, so its packages are too. Types are checked elsewhere.
  const patched = config.replace(
    /^ *turbopack: .*$/m,
    '  turbopack: { root: "/" }, typescript: { ignoreBuildErrors: true },',
  )
  if (patched === config) throw new Error("next.config.ts has no `turbopack` line to replace. Update this function.")
  await writeFile(join(folder, "next.config.ts"), patched)
}

/** Builds without a secret and without a database, as the README promises. */
async function build(folder: string, node: string): Promise<string> {
  const child = spawn(node, [next, "build"], { cwd: folder, env: environment(), timeout: 400_000 })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (output += String(part)))
  const code = await new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve))
  if (code !== 0) throw new Error(`The build of the example failed:\n${output}`)
  return output
}

async function start(built: Built, env: Readonly<Record<string, string>>, node: string) {
  const port = await freePort()
  const settings = { AUTH_SECRET: randomBytes(33).toString("base64"), AUTH_URL: `http://${host}:${port}`, ...env }
  return serve(built, settings, port, node)
}
