import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import { type Built, environment, next } from "./build.js"

/** An application that answers. */
export interface Site {
  readonly origin: string
  /** What it wrote so far, in both streams. */
  words(): string
  stop(): Promise<void>
}

/** Next.js writes this into redirects and rewrites of a middleware, whichever loopback address it was asked at. */
export const host = "localhost"

/** `next start` on a port of loopback, a free one unless it is given. */
export async function serve({ folder }: Built, env: Readonly<Record<string, string>>, port = 0): Promise<Site> {
  const args = [next, "start", "-H", host, "-p", String(port)]
  const child = spawn(process.execPath, args, { cwd: folder, env: environment(env), detached: true })
  let words = ""
  const origin = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (part) => {
        words += String(part)
        const address = /http:\/\/localhost:\d+/.exec(words)?.[0]
        if (address !== undefined && words.includes("Ready in")) resolve(address)
      })
    }
    child.once("error", reject)
    child.once("close", (code) =>
      reject(new Error(`The application ended with ${code} before it was ready:\n${words}`)),
    )
  })
  return { origin, words: () => words, stop: () => stop(child) }
}

/** With everything that it started. */
function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return resolve()
    child.once("close", () => resolve())
    process.kill(-child.pid, "SIGKILL")
  })
}

/** For an application that has to be told its address before it starts. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, host)
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, "close")
  return port
}
