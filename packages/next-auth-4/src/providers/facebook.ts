import core, { type FacebookProfile } from "@latchkey/core/providers/facebook"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/facebook"

const Facebook: ProviderFactory<FacebookProfile> = providerOf(core)

export default Facebook
