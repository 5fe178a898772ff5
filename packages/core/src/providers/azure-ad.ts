import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { entra, type MicrosoftEntraIDOptions, type MicrosoftEntraIDProfile } from "./microsoft-entra-id.js"

export type AzureADProfile = MicrosoftEntraIDProfile
export type AzureADOptions = MicrosoftEntraIDOptions

/**
 * Microsoft Entra ID under its former name and the id `azure-ad`, which stored accounts carry.
 *
 * Set-up: as for `microsoft-entra-id`, with the callback URL `https://<your site>/auth/callback/azure-ad`
 * (`/api/auth/…` under Next.js), `AUTH_AZURE_AD_ID`, `AUTH_AZURE_AD_SECRET` and `AUTH_AZURE_AD_ISSUER`.
 *
 * @deprecated use `microsoft-entra-id`, with `id: "azure-ad"` where accounts are stored under that id
 * @example
 * ```ts
 * import AzureAD from "@latchkey/core/providers/azure-ad"
 * export const provider = AzureAD({ issuer: "https://login.microsoftonline.com/common/v2.0" })
 * ```
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc
 */
const AzureAD: ProviderFactory<AzureADProfile, AzureADOptions> = defineProvider<AzureADProfile, AzureADOptions>(
  (options) => ({
    ...entra(options),
    id: "azure-ad",
    name: "Azure Active Directory",
    deprecated: 'Use the provider microsoft-entra-id, with `id: "azure-ad"` where accounts are stored under that id',
  }),
)

export default AzureAD
