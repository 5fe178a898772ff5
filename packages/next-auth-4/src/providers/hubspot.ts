import core, { type HubSpotProfile } from "@latchkey/core/providers/hubspot"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/hubspot"

const HubSpot: ProviderFactory<HubSpotProfile> = providerOf(core)

export default HubSpot
