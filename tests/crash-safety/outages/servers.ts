import { execFile, spawn, type ChildProcess } from "node:child_process"
import { chown, mkdir, readdir, rm } from "node:fs/promises"
import { dirname, join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { promisify } from "node:util"
import { findProgram, freePort, temporaryFolder } from "../../servers/process.js"

/** A server that can be ended and started again with its data. */
export interface Server {
  readonly name: string
  readonly url: string
  /** Starts it, and resolves when it accepts connections. */
  start(): Promise<void>
  /** Ends it with SIGKILL, or cleanly, and resolves when it's gone. */
  end(how: "kill" | "stop"): Promise<void>
  /** Ends it and deletes its data. */
  remove(): Promise<void>
}

interface Program {
  readonly name: string
  readonly url: string
  readonly program: string
  readonly args: readonly string[]
  readonly folder: string
  readonly account?: { readonly uid: number; readonly gid: number } | undefined
  /** Ends it without waiting for its clients. */
  readonly signal: "INT" | "TERM"
}

/** Prints the process id. Ends the server when this process ends, even by a kill, because that closes the pipe. */
const guard =
  'signal=$1; shift; exec 3<&0; "$@" 3<&- & server=$!; echo "pid=$server."; (cat <&3 >/dev/null; kill -s "$signal" $server 2>/dev/null) & wait $server; kill $! 2>/dev/null'

function server(settings: Program): Server {
  const { name, url, folder } = settings
  let running: { readonly child: ChildProcess; readonly pid: number; readonly ended: Promise<unknown> } | undefined
  const end = async (how: "kill" | "stop"): Promise<void> => {
    if (running === undefined) return
    const { child, pid, ended } = running
    running = undefined
    if (how === "kill") process.kill(pid, "SIGKILL")
    else child.stdin?.end()
    await ended
  }
  return {
    name,
    url,
    async start() {
      // After a kill, the processes of its clients may still be ending. It doesn't start until then.
      while (running === undefined) {
        running = await launch(settings)
        if (running === undefined) await pause(50)
      }
    },
    end,
    async remove() {
      await end("stop")
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

/** Undefined if it ended before it was ready. */
function launch({ program, args, account, signal }: Program) {
  const child = spawn("/bin/sh", ["-c", guard, "sh", signal, program, ...args], {
    ...account,
    cwd: "/",
    detached: true,
    env: { ...process.env, LC_ALL: "C" },
  })
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  let written = ""
  return new Promise<{ child: ChildProcess; pid: number; ended: Promise<void> } | undefined>((resolve) => {
    const read = (chunk: Buffer) => {
      written += chunk.toString()
      const pid = /pid=(\d+)\./.exec(written)?.[1]
      if (pid !== undefined && /ready to accept connections/i.test(written)) resolve({ child, pid: Number(pid), ended })
    }
    child.stdout.on("data", read)
    child.stderr.on("data", read)
    child.once("exit", () => resolve(undefined))
  })
}

/** Writes to disk, so that it has its data after a kill. @returns undefined if this machine doesn't have it */
export async function postgresServer(): Promise<Server | undefined> {
  const versions = await readdir("/usr/lib/postgresql").catch(() => [])
  const folders = versions
    .toSorted((a, b) => Number(b) - Number(a))
    .map((version) => `/usr/lib/postgresql/${version}/bin`)
  const initdb = findProgram(["initdb"], folders)
  if (initdb === undefined) return undefined
  const run = promisify(execFile)
  const folder = await temporaryFolder("outages-postgres")
  const idOf = async (flag: string) => Number((await run("id", [flag, "postgres"])).stdout)
  const account = process.getuid?.() === 0 ? { uid: await idOf("-u"), gid: await idOf("-g") } : undefined
  if (account !== undefined) await chown(folder, account.uid, account.gid)
  const data = join(folder, "data")
  await run(initdb, ["-D", data, "-A", "trust", "-U", "postgres", "-E", "UTF8", "--locale=C"], { ...account, cwd: "/" })
  const port = await freePort()
  const settings = ["listen_addresses=127.0.0.1", `unix_socket_directories=${folder}`, `port=${port}`]
  return server({
    name: "PostgreSQL",
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    program: join(dirname(initdb), "postgres"),
    args: ["-D", data, ...settings.flatMap((setting) => ["-c", setting])],
    folder,
    account,
    signal: "INT",
  })
}

/** Keeps its data over a restart, so that it comes back with what was cached before. */
export async function redisServer(): Promise<Server | undefined> {
  const program = findProgram(["redis-server", "valkey-server"], ["/usr/bin", "/usr/local/bin"])
  if (program === undefined) return undefined
  const [port, folder] = await Promise.all([freePort(), temporaryFolder("outages-redis")])
  await mkdir(folder, { recursive: true })
  const settings = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "yes", "--dir", folder]
  const url = `redis://127.0.0.1:${port}`
  return server({ name: "Redis", url, program, args: ["--port", String(port), ...settings], folder, signal: "TERM" })
}
