import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { Failure } from "../failure.js"
import type { Batch, DatabaseJob, Message, Result } from "./job.js"

/** Milliseconds to run the configuration file. Work in the database has no limit. */
const timeoutMs = 20_000

export interface Running {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Removes secrets from a text. */
  readonly clean: (text: string) => string
  readonly onBatch?: (batch: Batch) => void
}

type Wanted<Kind extends Result["kind"]> = Result & { readonly kind: Kind }

/** Uses the adapter in a separate process with this environment. @throws Failure if that fails, without secrets */
export async function run<Kind extends Result["kind"]>(
  job: DatabaseJob,
  kind: Kind,
  { env, clean, onBatch }: Running,
): Promise<Wanted<Kind>> {
  const result = await resultOf(job, env, onBatch)
  if (isOf(result, kind)) return result
  const reason = result.kind === "failed" ? result.reason : `it sent ${result.kind}`
  throw new Failure(clean(reason))
}

function isOf<Kind extends Result["kind"]>(result: Result, kind: Kind): result is Wanted<Kind> {
  return result.kind === kind
}

async function resultOf(job: DatabaseJob, env: Running["env"], onBatch: Running["onBatch"]): Promise<Result> {
  const child = fork(fileURLToPath(new URL("child.js", import.meta.url)), {
    cwd: job.source.root,
    env: { ...env },
    execArgv: ["--no-warnings"],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
    serialization: "advanced",
  })
  const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs)
  // Ctrl-C ends a sweep after its batch. A second one ends the process, and child.ts with it.
  const stop = () => void (child.connected && child.send("stop"))
  if (job.order.kind === "sweep") process.once("SIGINT", stop)
  try {
    return await new Promise((resolve) => {
      const fail = (reason: string) => resolve({ kind: "failed", reason })
      // child.ts sends these.
      child.on("message", (message: Message) => {
        if (message.kind === "opened") clearTimeout(timer)
        else if (message.kind === "batch") onBatch?.(message)
        else resolve(message)
      })
      child.once("error", ({ message }) => fail(message))
      child.once("exit", (code, signal) => fail(endOf(code, signal)))
      child.send(job)
    })
  } finally {
    clearTimeout(timer)
    process.off("SIGINT", stop)
    child.kill("SIGKILL")
  }
}

function endOf(code: number | null, signal: string | null): string {
  if (signal === "SIGKILL")
    return `The configuration didn't finish loading within ${timeoutMs / 1000} s. Move it to a file that only creates it, or pass --url.`
  return `The process that uses the adapter ended (${signal ?? `code ${code}`}). Run the configuration file by itself to see its error.`
}
