import core, { type PinterestProfile } from "@latchkey/core/providers/pinterest"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/pinterest"

const PinterestProvider: ProviderFactory<PinterestProfile> = providerOf(core, { checks: ["state"] })

export default PinterestProvider
