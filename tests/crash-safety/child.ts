// A process that runs one step and is gone in the middle of it.
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
  const sick = faulty(store)
  const site = await siteOf(setting, store, { engine: sick.adapter, had })
  const act = () => {
    if (way === "exit") process.exit(exitCode)
    process.kill(process.pid, "SIGKILL")
    // The signal may come a moment later: nothing happens until then.
    return new Promise<never>(() => {})
  }
  sick.watch({ at, moment, act })
  await steps[name]?.run(site)
  // It was not reached.
  process.exit(1)
}
