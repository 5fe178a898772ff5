import core, { type EVEOnlineProfile } from "@latchkey/core/providers/eveonline"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/eveonline"

const EVEOnline: ProviderFactory<EVEOnlineProfile> = providerOf(core, { checks: ["state"] })

export default EVEOnline
