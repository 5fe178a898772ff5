import core, { type WikimediaProfile } from "@latchkey/core/providers/wikimedia"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/wikimedia"

const Wikimedia: ProviderFactory<WikimediaProfile> = providerOf(core)

export default Wikimedia
