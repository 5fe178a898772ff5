import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { type AddressInfo, createServer } from "node:net"
import { type Built, environment, next } from "./build.js"

/** A running application. */
export interface Site {
  readonly origin: string
  /** Everything it has written to stdout and stderr. */
  output(): string
  stop(): Promise<void>
}

/** Next.js uses this name in the redirects and rewrites of a middleware, whatever loopback address the request used. */
export const host = "localhost"

/** Runs `next start` on a loopback port. `0` picks a free one. */
export async function serve(
  { folder }: Built,
  env: Readonly<Record<string, string>>,
  port = 0,
  node: string = process.execPath,
): Promise<Site> {
  const args = [next, "start", "-H", host, "-p", String(port)]
  const child = spawn(node, args, { cwd: folder, env: environment(env), detached: true })
  let output = ""
  const origin = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (part) => {
        output += String(part)
        const url = /http:\/\/localhost:\d+/.exec(output)?.[0]
        if (url !== undefined && output.includes("Ready in")) resolve(url)
      })
    }
    child.once("error", reject)
    child.once("close", (code) =>
      reject(new Error(`The application exited with code ${code} before it was ready:\n${output}`)),
    )
  })
  return { origin, output: () => output, stop: () => stop(child) }
}

/** Ends the process group, which includes the workers of Next.js. */
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
