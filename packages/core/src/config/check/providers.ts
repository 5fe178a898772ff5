import type { AuthConfig } from "../../model/config.js"
import { type ReadProvider, type ProviderFeatures, featureOf, nameOf } from "../feature.js"
import { type Problem, type Warning, invalid } from "./problem.js"

/** Problems of each provider, and of all together. */
export function* providerProblems(
  features: ProviderFeatures,
  providers: readonly ReadProvider[],
  config: AuthConfig,
): Generator<Problem> {
  const ids = new Set<string>()
  for (const read of providers) {
    const { path, provider } = read
    yield* idProblems(read, ids)
    // Only the first one of an id is used.
    if (!ids.has(provider.id)) yield* featureOf(features, provider)?.problems(path, provider, config) ?? []
    ids.add(provider.id)
  }
  for (const { problemsTogether } of features) yield* problemsTogether?.(providers, config) ?? []
}

/** The characters that need no escaping in a URL path (RFC 3986 §3.3). */
const urlSegment = /^(?!\.{1,2}$)[\w.~!$&'()*+,;=:@-]+$/

/** Names such as `constructor` are found on every object. */
function* idProblems({ path, provider }: ReadProvider, taken: ReadonlySet<string>): Generator<Problem> {
  const id: unknown = provider.id
  if (typeof id !== "string" || !urlSegment.test(id) || id === "undefined" || id in {}) {
    const problem = `${nameOf(provider)} has an id that can't be used in a URL`
    yield invalid(`${path}.id`, problem, "Use letters, digits, `-`, `_` and `.`")
  } else if (taken.has(id)) {
    const problem = `Two providers have the id "${id}", so only the first one is used`
    const fix = "Give one of them another `id` in its options"
    yield { ...invalid(`${path}.id`, problem, fix), tolerated: "duplicate-provider" }
  }
}

export function* providerWarnings(
  features: ProviderFeatures,
  providers: readonly ReadProvider[],
  config: AuthConfig,
): Generator<Warning> {
  for (const { path, provider } of providers)
    yield* featureOf(features, provider)?.warnings?.(path, provider, config) ?? []
  for (const { warningsTogether } of features) yield* warningsTogether?.(providers, config) ?? []
}
