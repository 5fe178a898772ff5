import { type EngineFeatures, featureOf } from "../../config/feature.js"
import type { ProviderView, Views } from "../../html/view.js"
import type { AuthContext } from "../../model/auth.js"

/** What features bring to pages. */
export type Brought = Pick<EngineFeatures, "providers" | "featurePages" | "accountSections">

/** How the providers of the configuration look. */
export async function loadViews({ providers }: Pick<Brought, "providers">, auth: AuthContext): Promise<Views> {
  const types = new Set([...auth.providers.values()].map(({ type }) => type))
  const views = new Map<string, ProviderView>()
  for (const type of types) {
    const feature = featureOf(providers, { type })
    if (feature !== undefined) views.set(type, await feature.view())
  }
  return views
}
