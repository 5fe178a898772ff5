import { AuthError } from "../errors.js"
import type { AuthConfig } from "../model/config.js"
import type { Provider, ProviderConfig } from "../model/given-provider.js"
import { customFetch } from "../model/symbols.js"
import { callFactory, withOptions } from "../provider-kit/options.js"
import { invalid, type Problem, tolerable } from "./check/problem.js"
import { isPlainObject, merge } from "./merge.js"
import { type ProviderFeatures, type ReadProvider, featureOf } from "./feature.js"

/** The providers that could be made, and a problem for each of the others. */
export interface ReadProviders {
  readonly providers: readonly ReadProvider[]
  readonly problems: readonly Problem[]
}

/** Makes each provider of the configuration. A provider that can't be made is a problem. */
export function readProviders(features: ProviderFeatures, config: AuthConfig): ReadProviders {
  // JavaScript applications may omit it.
  const given: unknown = config.providers
  if (!Array.isArray(given)) {
    const make = given === undefined || given === null ? tolerable : invalid
    return { providers: [], problems: [make("providers", "The array of providers is missing", "Set `providers`")] }
  }
  const providers: ReadProvider[] = []
  const problems: Problem[] = []
  for (const [index, each] of config.providers.entries()) {
    // Applications write `process.env.X && provider`.
    if (!isGiven(each)) {
      problems.push(tolerable(`providers[${index}]`, "The entry isn't a provider", "Remove it"))
      continue
    }
    const read = readProvider(features, each, `providers[${index}]`)
    if ("provider" in read) providers.push(read)
    else problems.push(read)
  }
  return { providers: [...providers, ...fromModules(config)], problems }
}

/** The engine asks the module instead of `authorize`. */
function fromModules({ modules: given }: AuthConfig): readonly ReadProvider[] {
  const modules: AuthConfig["modules"] = Array.isArray(given) ? given : []
  return modules.flatMap(({ id: module, providers = [] }, index) =>
    providers.map(({ id, name, fields: credentials, buttonLabel }) => ({
      path: `modules[${index}].providers`,
      provider: {
        id,
        name,
        type: "credentials" as const,
        credentials,
        authorize: () => null,
        module,
        ...(buttonLabel !== undefined && { buttonLabel }),
      },
    })),
  )
}

function isGiven(entry: unknown): boolean {
  return typeof entry === "function" || (typeof entry === "object" && entry !== null)
}

function readProvider(features: ProviderFeatures, given: Provider, path: string): ReadProvider | Problem {
  try {
    const provider = makeProvider(given)
    if (featureOf(features, provider) !== undefined) return { path, provider }
    const types = features.flatMap((feature) => feature.types).join(", ")
    return tolerable(path, "The provider's `type` is unknown", `Use one of ${types}`)
  } catch (error) {
    // Only our own messages are known to contain no secrets.
    const reason = error instanceof AuthError ? error.message : "it threw an error when called without options"
    return {
      ...invalid(path, `The provider can't be created: ${reason}`, "Call it with its options"),
      type: "AuthError",
    }
  }
}

/** Options that are passed on as they are, because they can be instances with an identity. */
const unmerged = ["server", "simpleWebAuthn"] as const

const endpoints = ["authorization", "token", "userinfo"] as const

/** Calls a factory, and merges the options over the provider's own values. */
export function makeProvider(given: Provider): ProviderConfig {
  const own = typeof given === "function" ? callFactory(given, {}) : given
  const options: unknown = own.options
  // The type of the profile is the author's claim: a callback gets what the provider sent.
  if (!isPlainObject(options)) return own as ProviderConfig
  const base: Record<string, unknown> = { ...withOptions(own, options) }
  // An endpoint option without a URL, such as `{ params }`, must not remove the URL.
  for (const key of endpoints) if (isPlainObject(options[key]) && isUrl(base[key])) base[key] = { url: base[key] }
  const result = merge(base, options)
  for (const key of unmerged) if (options[key] !== undefined) Object.assign(result, { [key]: options[key] })
  const transport = Reflect.get(options, customFetch) ?? Reflect.get(own, customFetch)
  // Options have the shape of the provider, so the result has it too.
  return Object.assign(result, transport === undefined ? {} : { [customFetch]: transport }) as ProviderConfig
}

function isUrl(value: unknown): value is string | URL {
  return typeof value === "string" || value instanceof URL
}
