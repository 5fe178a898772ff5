import type { AuthConfig } from "@latchkey/core"
import { runConfiguration } from "../doctor/configuration.js"
import { recorderFor } from "../doctor/recorder.js"
import { Failure } from "../failure.js"
import type { Source } from "./job.js"

/** Runs the configuration file, for a command that needs its modules. @throws Failure if there is none, or no database */
export async function configurationIn(source: Source): Promise<AuthConfig> {
  if (source.kind === "url") throw new Failure("A URL has no modules. Name the configuration file with --config.")
  const recorder = await recorderFor(source.root, { createsFiles: false, hasTimeouts: false })
  const config = await runConfiguration(source, recorder)
  if (config === undefined) throw new Failure(`${source.shown} creates no configuration.`)
  const [newDatabase] = recorder.newDatabases
  if (newDatabase === undefined) return config
  throw new Failure(`${newDatabase} doesn't exist. Create it with \`npx latchkey db apply\`.`)
}

/** SQLite then moves its log into the file. */
export async function close(adapter: unknown): Promise<void> {
  const method: unknown = Reflect.get(Object(adapter), "close")
  if (typeof method === "function") await Reflect.apply(method, adapter, [])
}
