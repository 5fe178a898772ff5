import type { AuthConfig } from "@latchkey/core"
import { resealRecords } from "@latchkey/core/server"
import { Failure } from "../failure.js"
import { close, configurationIn } from "./configuration.js"
import type { Result, Source } from "./job.js"

/**
 * Seals what the configuration's modules and `tokens: vault` keep with its newest secret, or counts it.
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

function sealsRecords({ modules = [], tokens }: AuthConfig): boolean {
  if (tokens !== undefined) return true
  const types = modules.flatMap(({ records = {} }) => Object.values(records))
  return types.some(({ fields }) => Object.values(fields).some(({ kind }) => kind === "sealed"))
}
