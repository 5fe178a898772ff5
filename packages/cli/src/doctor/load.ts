import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Failed, Inspection, Job } from "./job.js"

/** Milliseconds for everything except requests to other servers. */
const timeoutMs = 20_000

/** Runs the configuration file in a separate process with this environment. */
export async function load(job: Job, env: Readonly<Record<string, string | undefined>>): Promise<Inspection | Failed> {
  const child = fork(fileURLToPath(new URL("child.js", import.meta.url)), {
    cwd: job.root,
    env: { ...env },
    execArgv: ["--no-warnings"],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
  })
  const limit = timeoutMs + job.timeout * 4
  const timer = setTimeout(() => child.kill("SIGKILL"), limit)
  try {
    return await new Promise((resolve) => {
      // child.ts sends one of these two.
      child.once("message", (result) => resolve(result as Inspection | Failed))
      child.once("error", (error) => resolve({ kind: "failed", reason: error.message }))
      child.once("exit", (code, signal) => {
        const reason =
          signal === "SIGKILL" ? `it didn't finish within ${limit / 1000} s` : `it ended the process with code ${code}`
        resolve({ kind: "failed", reason })
      })
      child.send(job)
    })
  } finally {
    clearTimeout(timer)
    child.kill("SIGKILL")
  }
}
