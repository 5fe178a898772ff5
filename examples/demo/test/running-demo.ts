import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

const main = fileURLToPath(new URL("../dist/main.js", import.meta.url))

/** The demo as its users run it: a process of its own. */
export interface RunningDemo {
  readonly origin: string
  /** All it has printed so far, errors included. */
  readonly printed: readonly string[]
  /** Sends Ctrl-C and tells the exit code. */
  interrupt(): Promise<number | null>
}

/** `npm run build` first: the demo runs from `dist`. */
export async function startDemo(port: number): Promise<RunningDemo> {
  const child = spawn(process.execPath, [main], { env: { PATH: process.env["PATH"] ?? "", PORT: String(port) } })
  const printed: string[] = []
  const origin = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on("line", (line) => {
        printed.push(line)
        const [, address] = /open (http:\S+)/.exec(line) ?? []
        if (address !== undefined) resolve(address)
      })
    }
    child.once("exit", () => reject(new Error(`The demo did not start: ${printed.join("\n")}`)))
  })
  return { origin, printed, interrupt: () => interrupt(child) }
}

async function interrupt(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null) return child.exitCode
  const exited = once(child, "exit")
  // As it comes through npm: from the terminal, and handed on.
  child.kill("SIGINT")
  child.kill("SIGINT")
  const [code] = await exited
  return code
}

/** A port that somebody else holds until `release`. */
export async function takenPort(): Promise<{ readonly port: number; release(): void }> {
  const holder = createServer().listen(0, "localhost")
  await once(holder, "listening")
  const address = holder.address()
  if (address === null || typeof address === "string") throw new Error("The server has no port")
  return { port: address.port, release: () => holder.close() }
}
