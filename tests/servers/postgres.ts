import { execFile } from "node:child_process"
import { chown, readdir } from "node:fs/promises"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { findProgram, freePort, type Found, type Requirement, startServer, temporaryFolder } from "./process.js"

const run = promisify(execFile)

/** Debian keeps the programs of each version out of PATH. */
const debian = "/usr/lib/postgresql"

/** Starts an empty PostgreSQL on a free port. It doesn't sync to disk. */
export const postgres: Requirement<string> = {
  tests: "PostgreSQL tests",
  advice: "no PostgreSQL found: install it, or put the folder of `initdb` and `postgres` in PATH",
  async find() {
    const initdb = findProgram(["initdb"], await debianFolders())
    return initdb === undefined ? undefined : start(dirname(initdb))
  },
}

export async function debianFolders(): Promise<string[]> {
  const versions = await readdir(debian).catch(() => [])
  return versions.toSorted((a, b) => Number(b) - Number(a)).map((version) => join(debian, version, "bin"))
}

async function start(programs: string): Promise<Found<string>> {
  const folder = await temporaryFolder("postgres")
  const account = await accountFor(folder)
  const data = join(folder, "data")
  const init = [
    "-D",
    data,
    "-A",
    "trust",
    "-U",
    "postgres",
    "-E",
    "UTF8",
    "--locale=C",
    "--no-sync",
    "--no-instructions",
  ]
  await run(join(programs, "initdb"), init, { ...account, cwd: "/" })
  const port = await freePort()
  const settings = [
    "listen_addresses=127.0.0.1",
    `unix_socket_directories=${folder}`,
    "fsync=off",
    "full_page_writes=off",
  ]
  const args = ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])]
  const ready = /ready to accept connections/
  const { stop } = await startServer({ program: join(programs, "postgres"), args, folder, ready, account })
  return { value: `postgres://postgres@127.0.0.1:${port}/postgres`, stop }
}

/** PostgreSQL refuses to run as root, so root runs it as the user `postgres`. */
export async function accountFor(folder: string): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const [uid, gid] = await Promise.all([idOf("-u"), idOf("-g")])
  await chown(folder, uid, gid)
  return { uid, gid }
}

async function idOf(flag: "-u" | "-g"): Promise<number> {
  const { stdout } = await run("id", [flag, "postgres"])
  return Number(stdout)
}
