// Runs one step and ends in the middle of it.
import { faulty } from "./faulty.js"
import { exitCode, type Task } from "./processes.js"
import { siteOf } from "./site.js"
import { steps } from "./steps.js"
import { openStore } from "./stores.js"

process.once("message", (task: Task) => {
  void perform(task)
})

async function perform({ database, setting, name, at, moment, way, had }: Task): Promise<void> {
  const store = openStore(database)
  const faults = faulty(store)
  const site = await siteOf(setting, store, { engine: faults.adapter, had })
  const act = () => {
    if (way === "exit") process.exit(exitCode)
    process.kill(process.pid, "SIGKILL")
    // The signal may arrive a moment later. Nothing may happen until then.
    return new Promise<never>(() => {})
  }
  faults.watch({ at, moment, act })
  await steps[name]?.run(site)
  // The step did not reach the call.
  process.exit(1)
}
