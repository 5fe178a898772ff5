import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Moment } from "./faulty.js"
import type { Belongings, Setting } from "./site.js"
import type { Database } from "./stores.js"

export interface Task {
  readonly database: Pick<Database, "kind" | "address">
  readonly setting: Setting
  readonly name: string
  readonly at: number
  readonly moment: Moment
  /** Whether the process exits by itself or is killed. */
  readonly way: "exit" | "kill"
  readonly had: Belongings
}

/** The exit code of a process that exits by itself. */
export const exitCode = 86

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url))

export interface End {
  readonly code: number | null
  readonly signal: string | null
  readonly errors: string
}

export interface Processes {
  /** Gives the task to a process, and resolves when that process has ended. */
  run(task: Task): Promise<End>
  stop(): void
}

/** Runs each task in its own process. The next processes start while this one works. */
export function processes(): Processes {
  const waiting = [start(), start()]
  return {
    run: async (task) => {
      waiting.push(start())
      const child = waiting.shift() ?? start()
      const end = ended(child)
      child.send(task)
      return end
    },
    stop: () => {
      for (const child of waiting) child.kill()
    },
  }
}

/** Starts a process with the sources instead of the built packages. */
export function start(script = "child.ts"): ChildProcess {
  const execArgv = ["--disable-warning=ExperimentalWarning", "--import", new URL("sources.ts", import.meta.url).href]
  // Without the cache, a process spends half of its time on loading sources.
  const env = { ...process.env, NODE_COMPILE_CACHE: here("../../node_modules/.cache/compiled") }
  return fork(here(script), { execArgv, env, stdio: ["ignore", "ignore", "pipe", "ipc"] })
}

function ended(child: ChildProcess): Promise<End> {
  let errors = ""
  child.stderr?.on("data", (chunk: Buffer) => {
    errors += chunk.toString()
  })
  return new Promise((resolve) => {
    child.once("close", (code, signal) => resolve({ code, signal, errors }))
  })
}
