import type { ReadProvider } from "../../feature.js"
import type { AuthConfig } from "../../../model/config.js"
import { anything, type OptionNames, others, unknownNames } from "../../../primitives/option-names.js"
import { ownOptions } from "../../../provider-kit/generated/own-options.js"
import { followsOptions } from "../../../provider-kit/options.js"
import { isPlainObject } from "../../merge.js"
import { invalid, type Problem } from "../problem.js"
import { configNames } from "./config-names.js"
import { providerNames } from "./provider-names.js"

/** A problem for each option that has no effect because no code reads it, most often because its name is misspelled. */
export function unknownOptions(config: AuthConfig, providers: readonly ReadProvider[]): readonly Problem[] {
  const unknown = [
    ...unknownNames(config, configNames),
    ...providers.flatMap(({ path, provider }) => [...unknownNames(provider, namesOf(provider), `${path}.`)]),
  ]
  return unknown.map(({ path, meant }) => {
    const fix = meant === undefined ? "Remove it" : `Did you mean \`${meant}\`? If not, remove it`
    return {
      ...invalid(path, "There is no option of this name, so it has no effect", fix),
      tolerated: "unknown-option",
    }
  })
}

/**
 * A provider of another package may have options of its own, which its function takes and which are in `options`. Auth.js v5
 * allows any object there. The options of a provider of this package are known.
 */
function namesOf(provider: ReadProvider["provider"]): OptionNames {
  const { id, type, options } = provider
  const ownNames = Object.hasOwn(ownOptions, id) ? ownOptions[id] : undefined
  const isBuiltIn = ownNames !== undefined && (type === "email" || followsOptions(provider))
  return {
    ...providerNames[type],
    ...Object.fromEntries<OptionNames>((ownNames ?? []).map((name) => [name, anything])),
    [others]: (name) => type === "webauthn" || (!isBuiltIn && isPlainObject(options) && Object.hasOwn(options, name)),
  }
}
