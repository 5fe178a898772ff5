import type { Provider, GivenProvider } from "../../model/given-provider.js"
import { callFactory, followsOptions } from "../../provider-kit/options.js"
import { variableName } from "../../provider-kit/variable-name.js"
import { isPlain } from "../merge.js"
import type { ReadEnv } from "./variables.js"

type Fields = Readonly<Record<string, unknown>>

const client = [
  ["clientId", "ID"],
  ["clientSecret", "SECRET"],
  ["issuer", "ISSUER"],
  ["apiKey", "KEY"],
] as const
const sender = [["apiKey", "KEY"]] as const

/** What the environment can say of a provider of each type: option and end of the variable's name. */
const variables: Readonly<Record<string, readonly (readonly [option: string, suffix: string])[]>> = {
  oauth: client,
  oidc: client,
  email: sender,
}

/**
 * Gives a provider the client that `AUTH_<ID>_ID`, `_SECRET`, `_ISSUER` and `_KEY` name, wherever it has none of its own.
 * The id that a developer chose comes first, then the built-in one, so that two clients of one service can differ
 * (complaint 97).
 */
export function fillProvider(given: Provider, read: ReadEnv): Provider {
  if (typeof given !== "function") return fill(given, read)
  const sample = attempt(given)
  // A factory that cannot do without options stays as it is: the check of the configuration says why it failed.
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

/**
 * A factory's provider carries `options`: there the environment speaks for the developer, over the built-in facts.
 * In a literal everything is the developer's own word, which wins.
 */
function fill(provider: GivenProvider, read: ReadEnv): GivenProvider {
  if (!isPlain(provider)) return provider
  const options = isPlain(provider.options) ? provider.options : undefined
  const values = missing(provider, options, read)
  if (Object.keys(values).length === 0) return provider
  if (options === undefined) return Object.assign({}, provider, values)
  return Object.assign({}, provider, { options: { ...options, ...values } })
}

function missing(provider: GivenProvider, options: Fields | undefined, read: ReadEnv): Fields {
  const ids = [options?.["id"], provider.id].filter((id) => typeof id === "string" && id !== "")
  const own: Fields = { ...provider }
  const values: Record<string, string> = {}
  for (const [option, suffix] of variables[provider.type] ?? []) {
    const builtIn = option === "issuer" && options !== undefined
    if ((options?.[option] ?? (builtIn ? undefined : own[option])) !== undefined) continue
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
