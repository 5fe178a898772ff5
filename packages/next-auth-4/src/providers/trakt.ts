import core, { type TraktUser } from "@latchkey/core/providers/trakt"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/trakt"

const Trakt: ProviderFactory<TraktUser> = providerOf(core)

export default Trakt
