import type { ProviderConfig } from "../model/given-provider.js"
import type { OAuthConfig } from "../model/oauth-provider.js"
import type { CommonResolvedProvider, Fetch } from "../model/provider.js"
import { customFetch } from "../model/symbols.js"
import type { Runtime } from "../primitives/runtime.js"

/**
 * What every provider has once the configuration is compiled. Functions of the provider, such as `sendVerificationRequest`, may
 * read fields that only the application knows.
 */
export function commonOf(given: ProviderConfig): CommonResolvedProvider {
  const { options: _, ...provider } = given
  return { ...provider, name: provider.name ?? provider.id, style: Object.freeze({ ...provider.style }) }
}

/** Wrapped, because some runtimes refuse to call their `fetch` as a method of another object. */
export function fetchOf(provider: Pick<OAuthConfig, typeof customFetch>, runtime: Runtime): Fetch {
  const custom = provider[customFetch]
  if (custom === undefined) return runtime.fetch
  const wrapped: Fetch = wrappers.get(custom) ?? ((input, init) => custom(input, init))
  wrappers.set(custom, wrapped)
  return wrapped
}

/** Documents are cached by transport, and a configuration may be compiled for each request. */
const wrappers = new WeakMap<Fetch, Fetch>()
