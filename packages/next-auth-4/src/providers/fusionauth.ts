import core, { type FusionAuthOptions, type FusionAuthProfile } from "@latchkey/core/providers/fusionauth"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/fusionauth"

const FusionAuth: ProviderFactory<FusionAuthProfile, Partial<FusionAuthOptions>> = providerOf(core, {
  authorization: { params: { scope: "openid offline_access" } },
})

export default FusionAuth
