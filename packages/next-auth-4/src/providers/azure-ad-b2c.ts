import core, { type AzureADB2CProfile } from "@latchkey/core/providers/azure-ad-b2c"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/azure-ad-b2c"
export type { AzureADB2CProfile as AzureB2CProfile } from "@latchkey/core/providers/azure-ad-b2c"

const AzureADB2C: ProviderFactory<AzureADB2CProfile> = providerOf(core, {
  name: "Azure Active Directory B2C",
  checks: ["state"],
})

export default AzureADB2C
