import core, { type AppleOptions, type AppleProfile } from "@latchkey/core/providers/apple"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/apple"

const Apple: ProviderFactory<AppleProfile, Partial<AppleOptions>> = providerOf(core, { checks: ["pkce"] })

export default Apple
