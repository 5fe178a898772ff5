import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { entra, type MicrosoftEntraIDOptions, type MicrosoftEntraIDProfile } from "./microsoft-entra-id.js"

export type AzureADProfile = MicrosoftEntraIDProfile
export type AzureADOptions = MicrosoftEntraIDOptions

/**
 * Sign in with Microsoft Entra ID under its former name, using OpenID Connect. Stored accounts contain the id
 * `azure-ad`.
 *
 * 1. Register an application at https://entra.microsoft.com with the redirect URI
 *    `https://<your site>/auth/callback/azure-ad` (`/api/auth/callback/azure-ad` with Next.js).
 * 2. Set `AUTH_AZURE_AD_ID` and `AUTH_AZURE_AD_SECRET`.
 * 3. For a single tenant, set `AUTH_AZURE_AD_ISSUER`, for example to
 *    `https://login.microsoftonline.com/<tenantId>/v2.0`.
 *
 * Scope: `openid profile email User.Read`. The user gets a name, an email and an image.
 *
 * @deprecated Use `microsoft-entra-id`. If you have stored accounts, pass `id: "azure-ad"` to keep them.
 * @example
 * ```ts
 * import AzureAD from "@latchkey/core/providers/azure-ad"
 * export const provider = AzureAD({ issuer: "https://login.microsoftonline.com/common/v2.0" })
 * ```
 * @see https://learn.microsoft.com/en-us/entra/identity-platform/v2-protocols-oidc
 */
const AzureAD: ProviderFactory<AzureADProfile, AzureADOptions, "azure-ad"> = defineProvider((options) => ({
  ...entra(options),
  id: "azure-ad",
  name: "Azure Active Directory",
  deprecated: 'Use the provider microsoft-entra-id. If you have stored accounts, pass `id: "azure-ad"` to keep them.',
}))

export default AzureAD
