import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import { findProgram, freePort, type Found, type Requirement, startServer, temporaryFolder } from "./process.js"

const run = promisify(execFile)

/** Starts an empty MariaDB on a free port. It doesn't sync to disk. */
export const mariadb: Requirement<string> = {
  tests: "MariaDB tests",
  advice: "no MariaDB found: install it, or put the folder of `mariadbd` and `mariadb-install-db` in PATH",
  async find() {
    const folders = ["/usr/sbin", "/usr/bin", "/usr/local/bin"]
    const program = findProgram(["mariadbd"], folders)
    const install = findProgram(["mariadb-install-db"], folders)
    return program === undefined || install === undefined ? undefined : start(program, install)
  },
}

async function start(program: string, install: string): Promise<Found<string>> {
  const folder = await temporaryFolder("mariadb")
  const data = `--datadir=${join(folder, "data")}`
  // As root, MariaDB asks for an explicit user.
  const account = process.getuid?.() === 0 ? ["--user=root"] : []
  await run(install, ["--no-defaults", data, "--auth-root-authentication-method=normal", ...account])
  const port = await freePort()
  const settings = [
    "--bind-address=127.0.0.1",
    `--port=${port}`,
    `--socket=${join(folder, "socket")}`,
    `--pid-file=${join(folder, "pid")}`,
    "--innodb-flush-log-at-trx-commit=0",
    "--innodb-flush-method=nosync",
    "--max-connections=500",
  ]
  const args = ["--no-defaults", data, ...account, ...settings]
  // MariaDB ignores SIGINT.
  const { stop } = await startServer({ program, args, folder, ready: /ready for connections/, signal: "TERM" })
  return { value: `mysql://root@127.0.0.1:${port}/mysql`, stop }
}
