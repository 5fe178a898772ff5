import core, { type StravaProfile } from "@latchkey/core/providers/strava"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/strava"

const Strava: ProviderFactory<StravaProfile> = providerOf(core)

export default Strava
