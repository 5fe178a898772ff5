import type { AuthConfig } from "@latchkey/core"
import { resealRecords } from "@latchkey/core/server"
import { Failure } from "../failure.js"
import { close, configurationIn } from "./configuration.js"
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
