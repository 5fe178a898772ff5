import { reasonOf } from "../failure.js"
import type { DatabaseJob, Message, Order, Result } from "./job.js"
import { call, deletedOf, problemsOf, statementsOf } from "./maintained.js"
import { open, type Opened } from "./open.js"
import { runApiKeys } from "../api-keys.js"
import { importPasswords } from "../import/passwords.js"
import { runMove } from "../move/run.js"
import { close } from "./configuration.js"
import { reseal } from "./reseal.js"

/**
 * Uses the adapter in a separate process, because the configuration file may print, hang, or keep connections open. The
 * parent sends one job, and may send `stop`.
 */
const stop = new AbortController()

// A terminal sends Ctrl-C to both processes. The parent decides what it means.
process.on("SIGINT", () => undefined)
process.on("disconnect", () => process.exit(1))
process.once("message", (job) => {
  process.on("message", () => stop.abort())
  // The parent sends a job first.
  void answer(job as DatabaseJob).then((result) => process.send?.(result, () => process.exit(0)))
})

function send(message: Message): void {
  process.send?.(message)
}

async function answer({ source, order }: DatabaseJob): Promise<Result> {
  try {
    if (order.kind === "reseal") return await reseal(source, order.check, () => send({ kind: "opened" }))
    if (order.kind === "api-keys") return await runApiKeys(source, order, () => send({ kind: "opened" }))
    if (order.kind === "move") return await runMove(source, order, () => send({ kind: "opened" }))
    if (order.kind === "import") {
      const onRows = (rows: number) => send({ kind: "batch", table: "lines", rows })
      return await importPasswords(source, order, { onLoad: () => send({ kind: "opened" }), onRows })
    }
    const opened = await open(source, order.kind === "migrate")
    send({ kind: "opened" })
    try {
      return await perform(opened, order)
    } finally {
      await close(opened.adapter)
    }
  } catch (error) {
    return { kind: "failed", reason: reasonOf(error) }
  }
}

type AdapterOrder = Exclude<Order, { readonly kind: "reseal" | "import" | "move" | "api-keys" }>

async function perform({ adapter, newDatabase }: Opened, order: AdapterOrder): Promise<Result> {
  if (order.kind === "plan")
    return { kind: "statements", statements: statementsOf(await call(adapter, "plan")), newDatabase }
  if (order.kind === "migrate") {
    await call(adapter, "migrate")
    return { kind: "statements", statements: statementsOf(await call(adapter, "plan")), newDatabase: undefined }
  }
  if (newDatabase !== undefined)
    return { kind: "failed", reason: `${newDatabase} doesn't exist. Create it with \`npx latchkey db apply\`.` }
  if (order.kind === "check") return { kind: "problems", problems: problemsOf(await call(adapter, "check")) }
  const onBatch = (batch: { readonly table: string; readonly rows: number }) => send({ kind: "batch", ...batch })
  const deleted = deletedOf(await call(adapter, "sweep", { ...order.options, signal: stop.signal, onBatch }))
  return { kind: "deleted", deleted, isStopped: stop.signal.aborted }
}
