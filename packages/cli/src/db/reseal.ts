import type { AuthConfig } from "@latchkey/core"
import { resealRecords } from "@latchkey/core/server"
import { runConfiguration } from "../doctor/configuration.js"
import { recorderFor } from "../doctor/recorder.js"
import { Failure } from "../failure.js"
import type { Result, Source } from "./job.js"

/**
 * Seals the records of the configuration's modules with its newest secret, or counts them.
 *
 * @param onLoad called when the configuration is there
 * @throws Failure if there is none
 */
export async function reseal(source: Source, check: boolean, onLoad: () => void): Promise<Result> {
  const config = await configurationIn(source)
  onLoad()
  if (!sealsRecords(config))
    throw new Failure(
      "No module of the configuration keeps anything encrypted. Name the file that has the modules with --config.",
    )
  try {
    return { kind: "resealed", ...(await resealRecords(config, { check })) }
  } finally {
    await close(config.adapter)
  }
}

function sealsRecords({ modules = [] }: AuthConfig): boolean {
  const types = modules.flatMap(({ records = {} }) => Object.values(records))
  return types.some(({ fields }) => Object.values(fields).some(({ kind }) => kind === "sealed"))
}

async function configurationIn(source: Source): Promise<AuthConfig> {
  if (source.kind === "url") throw new Failure("A URL has no modules. Name the configuration file with --config.")
  const recorder = await recorderFor(source.root, { createsFiles: false, hasTimeouts: false })
  const config = await runConfiguration(source, recorder)
  if (config === undefined) throw new Failure(`${source.shown} creates no configuration.`)
  const [newDatabase] = recorder.newDatabases
  if (newDatabase === undefined) return config
  throw new Failure(`${newDatabase} doesn't exist, so no record is in it.`)
}

/** SQLite then moves its log into the file. */
export async function close(adapter: unknown): Promise<void> {
  const method: unknown = Reflect.get(Object(adapter), "close")
  if (typeof method === "function") await Reflect.apply(method, adapter, [])
}
