import { spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { cp, mkdtemp, readFile, symlink, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { type Built, environment, next, remove } from "../../../tests/next/build.js"
import { freePort, host, serve } from "../../../tests/next/serve.js"

/** An example as it is deployed, with an empty database. */
export interface RunningExample {
  readonly origin: string
  /** What it has told the terminal so far. */
  words(): string
  /** Takes its folder away, too. */
  stop(): Promise<void>
}

/** Built and started in a folder of its own, so that one that somebody works on is left as it is. */
export async function startExample(
  name: "next" | "next-pages",
  env: Readonly<Record<string, string>> = {},
): Promise<RunningExample> {
  const folder = await mkdtemp(join(tmpdir(), `latchkey-example-${name}-`))
  try {
    await copy(fileURLToPath(new URL(`../../${name}`, import.meta.url)), folder)
    const words = await build(folder)
    const site = await start({ folder, major: 16, words }, env)
    const stop = async () => {
      await site.stop()
      await remove(folder)
    }
    return { origin: site.origin, words: site.words, stop }
  } catch (cause) {
    await remove(folder)
    throw cause
  }
}

/** Without what builds, secrets and databases somebody has there. */
async function copy(example: string, folder: string): Promise<void> {
  for (const path of ["src", "package.json", "tsconfig.json"]) {
    await cp(join(example, path), join(folder, path), { recursive: true })
  }
  await symlink(join(example, "node_modules"), join(folder, "node_modules"), "dir")
  const config = await readFile(join(example, "next.config.ts"), "utf8")
  // The packages are even further out of this folder; types are not what is tested here.
  const moved = config.replace(
    /^ *turbopack: .*$/m,
    '  turbopack: { root: "/" }, typescript: { ignoreBuildErrors: true },',
  )
  if (moved === config) throw new Error("next.config.ts has changed: say here how its `root` is found")
  await writeFile(join(folder, "next.config.ts"), moved)
}

/** As the README says: without a secret, and without a database. */
async function build(folder: string): Promise<string> {
  const child = spawn(process.execPath, [next, "build"], { cwd: folder, env: environment(), timeout: 240_000 })
  let words = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => (words += String(part)))
  const code = await new Promise<number | null>((resolve, reject) => child.once("error", reject).once("close", resolve))
  if (code !== 0) throw new Error(`The example could not be built:\n${words}`)
  return words
}

async function start(built: Built, env: Readonly<Record<string, string>>) {
  const port = await freePort()
  const settings = { AUTH_SECRET: randomBytes(33).toString("base64"), AUTH_URL: `http://${host}:${port}`, ...env }
  return serve(built, settings, port)
}
