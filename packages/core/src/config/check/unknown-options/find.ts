import type { AuthConfig } from "../../../model/config.js"
import { nearest } from "../../../primitives/nearest.js"
import { ownOptions } from "../../../provider-kit/generated/own-options.js"
import { followsOptions } from "../../../provider-kit/options.js"
import { isPlainObject } from "../../merge.js"
import type { ReadProvider } from "../../read-providers.js"
import { invalid, type Problem } from "../problem.js"
import { configNames } from "./config-names.js"
import { any, type Names } from "./names.js"
import { providerNames } from "./provider-names.js"

/** A problem for each option that has no effect because no code reads it, most often because its name is misspelled. */
export function unknownOptions(config: AuthConfig, providers: readonly ReadProvider[]): readonly Problem[] {
  return [...unknownIn(config, configNames, ""), ...providers.flatMap((read) => [...unknownInProvider(read)])]
}

/** @param isFree whether the object may have options that aren't known. One is then reported if its name is close to a known one. */
function* unknownIn(value: unknown, names: Names, path: string, isFree = (_name: string) => false): Generator<Problem> {
  if (names === any || !isPlainObject(value)) return
  for (const [name, below] of Object.entries(value)) {
    const known = Object.hasOwn(names, name) ? names[name] : undefined
    if (known !== undefined) yield* unknownIn(below, known, `${path}${name}.`)
    else if (below !== undefined) {
      const [meant] = nearest(name, Object.keys(names))
      if (meant !== undefined || !isFree(name)) yield unknown(path, name, meant)
    }
  }
}

function unknown(path: string, name: string, meant: string | undefined): Problem {
  const fix = meant === undefined ? "Remove it" : `Did you mean \`${path}${meant}\`? If not, remove it`
  const problem = invalid(path + name, "There is no option of this name, so it has no effect", fix)
  return { ...problem, tolerated: "unknown-option" }
}

/**
 * A provider of another package may have options of its own, which its function takes and which are in `options`. Auth.js v5
 * allows any object there. The options of a provider of this package are known.
 */
function unknownInProvider({ path, provider }: ReadProvider): Generator<Problem> {
  const { id, type, options } = provider
  const ownNames = Object.hasOwn(ownOptions, id) ? ownOptions[id] : undefined
  const isBuiltIn = ownNames !== undefined && (type === "email" || followsOptions(provider))
  const names = { ...providerNames[type], ...Object.fromEntries<Names>((ownNames ?? []).map((name) => [name, any])) }
  const isFree = (name: string) =>
    type === "webauthn" || (!isBuiltIn && isPlainObject(options) && Object.hasOwn(options, name))
  return unknownIn(provider, names, `${path}.`, isFree)
}
