import type { GivenProvider, Provider } from "../../model/given-provider.js"
import { callFactory, followsOptions } from "../../provider-kit/options.js"
import { variableName } from "../../provider-kit/variable-name.js"
import { isPlainObject } from "../merge.js"
import type { ReadEnv } from "./variables.js"

type Fields = Readonly<Record<string, unknown>>

const client = [
  ["clientId", "ID"],
  ["clientSecret", "SECRET"],
  ["issuer", "ISSUER"],
  ["apiKey", "KEY"],
] as const
const sender = [["apiKey", "KEY"]] as const

/** The options of each provider type that variables can set, with the end of the variable's name. */
const variables: Readonly<Record<string, readonly (readonly [option: string, suffix: string])[]>> = {
  oauth: client,
  oidc: client,
  email: sender,
}

/**
 * Sets the options that a provider lacks from `AUTH_<ID>_ID`, `_SECRET`, `_ISSUER` and `_KEY`. The id in the options
 * comes before the built-in id, so two clients of one service can have their own variables. A factory is called, and
 * called once more if variables add options that it hasn't seen.
 */
export function fillProvider(given: Provider, read: ReadEnv): Provider {
  if (typeof given !== "function") return fill(given, read)
  const sample = attempt(given)
  // A factory that needs options is kept. The check of the configuration reports why it failed.
  if (sample === undefined) return given
  const options = followsOptions(sample) ? {} : missing(sample, {}, read)
  const made = Object.keys(options).length === 0 ? sample : callFactory(given, options)
  return fill(made, read)
}

function attempt(factory: Exclude<Provider, GivenProvider>): GivenProvider | undefined {
  try {
    return callFactory(factory, {})
  } catch {
    return undefined
  }
}

/** With `options`, the other values are built in, so variables become options. A literal's own values win. */
function fill(provider: GivenProvider, read: ReadEnv): GivenProvider {
  if (!isPlainObject(provider)) return provider
  const options = isPlainObject(provider.options) ? provider.options : undefined
  const values = missing(provider, options, read)
  if (Object.keys(values).length === 0) return provider
  if (options === undefined) return Object.assign({}, provider, values)
  return Object.assign({}, provider, { options: { ...options, ...values } })
}

/**
 * Also writes the variables into the provider itself, where integrations written for Auth.js read them. An object that
 * the application gave stays the same object, unless it's frozen.
 *
 * @param made the result of {@link fillProvider} for `given`
 */
export function writeClient(given: Provider | undefined, made: Provider, read: ReadEnv): Provider {
  if (!isPlainObject(made)) return made
  const target = isPlainObject(given) && !Object.isFrozen(given) ? Object.assign(given, made) : { ...made }
  return Object.assign(target, missing(target, undefined, read))
}

function missing(provider: GivenProvider, options: Fields | undefined, read: ReadEnv): Fields {
  const ids = [options?.["id"], provider.id].filter((id) => typeof id === "string" && id !== "")
  const own: Fields = { ...provider }
  const values: Record<string, string> = {}
  for (const [option, suffix] of variables[provider.type] ?? []) {
    const isBuiltIn = option === "issuer" && options !== undefined
    if ((options?.[option] ?? (isBuiltIn ? undefined : own[option])) !== undefined) continue
    const value = firstOf(
      ids.map((id) => variableName(String(id), suffix)),
      read,
    )
    if (value !== undefined) values[option] = value
  }
  return values
}

function firstOf(names: readonly string[], read: ReadEnv): string | undefined {
  for (const name of names) {
    const value = read(name)
    if (value !== undefined) return value
  }
  return undefined
}
