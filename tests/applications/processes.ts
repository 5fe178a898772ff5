import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"

/** A program and its arguments. */
export type Command = readonly [program: string, ...args: string[]]

export interface ProcessOptions {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** A running application. */
export interface Site {
  readonly origin: string
  /** Everything it has written to stdout and stderr. */
  output(): string
  stop(): Promise<void>
}

/** Next.js uses this name in the redirects and rewrites of a middleware, whatever loopback address the request used. */
export const host = "localhost"

/** Only these variables reach an application, so that the environment of the test run doesn't change results. */
export function environment(given: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = "", HOME = "", TMPDIR = tmpdir() } = process.env
  const telemetry = { NEXT_TELEMETRY_DISABLED: "1", ASTRO_TELEMETRY_DISABLED: "1", NUXT_TELEMETRY_DISABLED: "1" }
  return { PATH, HOME, TMPDIR, ...telemetry, ...given }
}

/** A program that runs in a process group of its own. */
export interface Running {
  /** Everything it has written to stdout and stderr. */
  output(): string
  /** Rejects if the program exits before `look` returns a value. It looks again after each output. */
  until<T>(look: (output: string) => T | undefined): Promise<T>
  /** The exit code. */
  readonly exited: Promise<number | null>
  /** Ends the program and everything that it has started. */
  stop(): Promise<void>
}

export function launch([program, ...args]: Command, options: ProcessOptions): Running {
  const child = spawn(program, args, { ...options, detached: true, stdio: ["ignore", "pipe", "pipe"] })
  const streams = [child.stdout, child.stderr]
  let output = ""
  for (const stream of streams) stream.on("data", (part) => (output += String(part)))
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject)
    child.once("close", resolve)
  })
  const until = async <T>(look: (output: string) => T | undefined) => {
    const found = new Promise<T>((resolve) => {
      const again = () => {
        const value = look(output)
        if (value !== undefined) resolve(value)
      }
      for (const stream of streams) stream.on("data", again)
      again()
    })
    const early = async () => {
      const code = await exited
      throw new Error(`${program} exited with code ${code} before it was ready:\n${output}`)
    }
    return Promise.race([found, early()])
  }
  return { output: () => output, until, exited, stop: () => stop(child) }
}

/** Runs a program until it exits. After `timeout` milliseconds, it's ended with everything that it has started. */
export async function runToEnd(
  command: Command,
  options: ProcessOptions,
  timeout: number,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const program = launch(command, options)
  const timer = setTimeout(() => void program.stop(), timeout)
  try {
    return { code: await program.exited, output: program.output() }
  } finally {
    clearTimeout(timer)
  }
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return resolve()
    child.once("close", () => resolve())
    process.kill(-child.pid, "SIGKILL")
  })
}

/** Finds a port for an application whose URL must be known before it starts. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, host)
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, "close")
  return port
}
