import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { AppTask } from "./app.js"

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

/** The application processes. */
export interface Fleet {
  readonly size: number
  /** The port of a process. Undefined while it doesn't run. */
  portOf(at: number): number | undefined
  /** Kills a process with SIGKILL, and resolves when it's gone. */
  kill(at: number): Promise<void>
  /** Starts a process in its place, and resolves when it listens. */
  start(at: number): Promise<void>
  stop(): Promise<void>
  /** How processes ended that weren't killed. */
  readonly crashes: string[]
  /** What the processes wrote to standard error. */
  readonly errors: string[]
}

export async function fleet(task: AppTask, size: number): Promise<Fleet> {
  const ports: (number | undefined)[] = []
  const children: (ChildProcess | undefined)[] = []
  const expected = new WeakSet<ChildProcess>()
  const crashes: string[] = []
  const errors: string[] = []

  const kill = async (at: number): Promise<void> => {
    const child = children[at]
    if (child === undefined) return
    expected.add(child)
    ports[at] = undefined
    const gone = new Promise((resolve) => child.once("close", resolve))
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill("SIGKILL")
    await gone
  }
  const start = async (at: number): Promise<void> => {
    const child = launch()
    children[at] = child
    child.stderr?.on("data", (chunk: Buffer) => errors.push(chunk.toString()))
    child.once("exit", (code, signal) => {
      if (expected.has(child)) return
      ports[at] = undefined
      crashes.push(`process ${at} ended by itself (${signal ?? `code ${code}`}): ${errors.slice(-3).join("")}`)
    })
    const listening = new Promise<number>((resolve) =>
      child.once("message", ({ port }: { port: number }) => resolve(port)),
    )
    child.send(task)
    ports[at] = await Promise.race([
      listening,
      new Promise<undefined>((resolve) => child.once("exit", () => resolve(undefined))),
    ])
  }

  await Promise.all(Array.from({ length: size }, (_, at) => start(at)))
  const stop = async () => void (await Promise.all(children.map((_, at) => kill(at))))
  return { size, portOf: (at) => ports[at], kill, start, stop, crashes, errors }
}

function launch(): ChildProcess {
  const execArgv = ["--disable-warning=ExperimentalWarning", "--import", new URL("../sources.ts", import.meta.url).href]
  const env = { ...process.env, NODE_COMPILE_CACHE: here("../../../node_modules/.cache/compiled") }
  return fork(here("app.ts"), { execArgv, env, stdio: ["ignore", "ignore", "pipe", "ipc"] })
}
