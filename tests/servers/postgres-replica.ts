import { execFile } from "node:child_process"
import { realpath } from "node:fs/promises"
import { dirname, join } from "node:path"
import { promisify } from "node:util"
import { accountFor, debianFolders } from "./postgres.js"
import { findProgram, freePort, type Found, startServer, temporaryFolder } from "./process.js"

const run = promisify(execFile)

/** Starts a read-only copy of a PostgreSQL server, which follows its changes. */
export async function startReplica(primary: string): Promise<Found<string> & { stop(): Promise<void> }> {
  const initdb = findProgram(["initdb"], await debianFolders())
  if (initdb === undefined) throw new Error("PostgreSQL isn't installed. Skip the test.")
  // A link in PATH may lead to it, and not to the other programs.
  const programs = dirname(await realpath(initdb))
  const folder = await temporaryFolder("postgres-replica")
  const account = await accountFor(folder)
  const data = join(folder, "data")
  const backup = ["-d", primary, "-D", data, "-R", "-X", "stream", "--checkpoint=fast", "--no-sync"]
  await run(join(programs, "pg_basebackup"), backup, { ...account, cwd: "/" })
  const port = await freePort()
  const settings = ["listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`, "fsync=off"]
  const args = ["-D", data, "-p", String(port), ...settings.flatMap((setting) => ["-c", setting])]
  const ready = /ready to accept read-only connections/
  const { stop } = await startServer({ program: join(programs, "postgres"), args, folder, ready, account })
  return { value: `postgres://postgres@127.0.0.1:${port}/postgres`, stop }
}
