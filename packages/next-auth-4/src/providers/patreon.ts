import core, { type PatreonProfile } from "@latchkey/core/providers/patreon"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/patreon"

const Patreon: ProviderFactory<PatreonProfile> = providerOf(core)

export default Patreon
