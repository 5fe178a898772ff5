import core, { type UnitedEffectsProfile } from "@latchkey/core/providers/united-effects"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/united-effects"

const UnitedEffects: ProviderFactory<UnitedEffectsProfile> = providerOf(core, { checks: ["pkce", "state"] })

export default UnitedEffects
