import { type ChildProcess, spawn } from "node:child_process"
import { environment } from "../next/build.js"
import type { Built } from "./build.js"

/** A running application. */
export interface Site {
  readonly origin: string
  /** Everything it has written to stdout and stderr. */
  output(): string
  stop(): Promise<void>
}

/** Runs the production server on a loopback port. `0` picks a free one. */
export async function serve(
  { folder }: Pick<Built, "folder">,
  env: Readonly<Record<string, string>>,
  port = 0,
): Promise<Site> {
  const variables = environment({ NODE_ENV: "production", PORT: String(port), ...env })
  const child = spawn(process.execPath, ["server/entry.node-server.js"], { cwd: folder, env: variables })
  let output = ""
  const origin = await new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on("data", (part) => {
        output += String(part)
        const url = /Listening on (\S+)/.exec(output)?.[1]
        if (url !== undefined) resolve(url)
      })
    }
    child.once("error", reject)
    child.once("close", (code) =>
      reject(new Error(`The application exited with code ${code} before it was ready:\n${output}`)),
    )
  })
  return { origin, output: () => output, stop: async () => stop(child) }
}

function stop(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve()
    child.once("close", () => resolve())
    child.kill("SIGKILL")
  })
}
