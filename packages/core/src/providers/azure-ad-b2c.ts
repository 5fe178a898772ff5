import type { ServiceProfile } from "../model/provider.js"
import { type ProviderFactory, defineProvider } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/azure-ad-b2c.js"
import { publishedIssuer } from "../provider-kit/options.js"

/** The claims in an ID token from Azure AD B2C. */
export interface AzureADB2CProfile extends ServiceProfile {
  readonly sub: string
  readonly name: string
  readonly emails?: readonly string[] | null
  readonly preferred_username: string
}

/**
 * Sign in with Azure AD B2C, using OpenID Connect.
 *
 * 1. Register an application in your Azure AD B2C tenant with the redirect URI
 *    `https://<your site>/auth/callback/azure-ad-b2c` (`/api/auth/callback/azure-ad-b2c` with Next.js).
 * 2. Set `AUTH_AZURE_AD_B2C_ID` and `AUTH_AZURE_AD_B2C_SECRET`.
 * 3. Set `AUTH_AZURE_AD_B2C_ISSUER` to the URL of the tenant and user flow, for example
 *    `https://<tenant>.b2clogin.com/<tenant>.onmicrosoft.com/<policy>/v2.0`.
 *
 * Scope: `openid profile email`. The user gets a name and an email, but no image.
 *
 * - ID tokens name an issuer without the user flow. They're checked against the one in the discovery document.
 *
 * @deprecated Microsoft closed Azure AD B2C to new customers in May 2025. Existing tenants keep working. New ones use
 *   Microsoft Entra External ID.
 * @example
 * ```ts
 * import AzureADB2C from "@latchkey/core/providers/azure-ad-b2c"
 * export const provider = AzureADB2C({ issuer: "https://acme.b2clogin.com/acme.onmicrosoft.com/b2c_1_sign_in/v2.0" })
 * ```
 * @see https://learn.microsoft.com/en-us/azure/active-directory-b2c/
 */
const AzureADB2C: ProviderFactory<AzureADB2CProfile, object, "azure-ad-b2c"> = defineProvider({
  id: "azure-ad-b2c",
  name: "Azure AD B2C",
  type: "oidc",
  deprecated:
    "Microsoft closed Azure AD B2C to new customers in May 2025. For a new tenant, use the provider microsoft-entra-id.",
  issuerFor: publishedIssuer,
  profile: ({ sub, name, preferred_username, emails }) => ({
    id: sub,
    name: name ?? preferred_username,
    email: emails?.[0],
    image: null,
  }),
  tokens: { scope: "offline_access" },
  style: { brandColor: "#0072c6", icon },
})

export default AzureADB2C
