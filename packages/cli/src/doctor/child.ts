import { reasonOf } from "../failure.js"
import type { Failed, Inspection, Job } from "./job.js"

/**
 * Runs the configuration file in a separate process, because it may print, hang, or keep connections open. The parent sends
 * one job and gets one result.
 */
process.once("message", (job) => {
  void answer(job as Job).then((result) => process.send?.(result, () => process.exit(0)))
})

async function answer(job: Job): Promise<Inspection | Failed> {
  try {
    const { inspect } = await import("./inspect.js")
    return await inspect(job)
  } catch (error) {
    return { kind: "failed", reason: reasonOf(error) }
  }
}
