import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url))

/** The demo in its own process. */
export interface RunningDemo {
  readonly origin: string
  /** The lines that it has printed, including errors. */
  readonly printed: readonly string[]
  /** Sends Ctrl-C and returns the exit code. */
  interrupt(): Promise<number | null>
}

/** Runs the demo from `dist`, so build it first. */
export async function startDemo(port: number, node: string = process.execPath): Promise<RunningDemo> {
  const child = spawn(node, [main], { env: { PATH: process.env["PATH"] ?? "", PORT: String(port) } })
  const printed: string[] = []
  const origin = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on("line", (line) => {
        printed.push(line)
        const [, url] = /Open (http:\S+)/.exec(line) ?? []
        if (url !== undefined) resolve(url)
      })
    }
    child.once("exit", () => reject(new Error(`The demo did not start: ${printed.join("\n")}`)))
  })
  return { origin, printed, interrupt: () => interrupt(child) }
}

async function interrupt(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode
  const exited = once(child, "exit")
  // With npm, Ctrl-C arrives twice: from the terminal and from npm.
  child.kill("SIGINT")
  child.kill("SIGINT")
  const [code] = await exited
  return code
}

/** A port that is in use until `release`. */
export async function takenPort(): Promise<{ readonly port: number; release(): void }> {
  const holder = createServer().listen(0, "localhost")
  await once(holder, "listening")
  const address = holder.address()
  if (address === null || typeof address === "string") throw new Error("The server has no port")
  return { port: address.port, release: () => holder.close() }
}
