import core, { type AzureADOptions, type AzureADProfile } from "@latchkey/core/providers/azure-ad"
import { type ProviderFactory, providerOf } from "../provider-factory.js"

export type * from "@latchkey/core/providers/azure-ad"

interface TenantOptions extends Partial<AzureADOptions> {
  /** The directory that users belong to. @default "common" */
  readonly tenantId?: string
}

const AzureAD: ProviderFactory<AzureADProfile, TenantOptions> = providerOf(
  core,
  ({ issuer, tenantId = "common" }: { issuer?: string; tenantId?: string }) => ({
    issuer: issuer ?? `https://login.microsoftonline.com/${tenantId}/v2.0`,
    checks: ["state"],
    authorization: { params: { scope: "openid profile email" } },
  }),
)

export default AzureAD
