import type { RawProfile } from "../model/provider.js"
import { publishedIssuer } from "../provider-kit/issuer-url.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** Claims of an ID token of Azure AD B2C. */
export interface AzureADB2CProfile extends RawProfile {
  readonly sub: string
  readonly name?: string | null
  readonly emails?: readonly string[] | null
  readonly preferred_username?: string | null
}

/**
 * Sign-in with Azure AD B2C, by OpenID Connect.
 *
 * Set-up: register an application at Azure AD B2C with the callback URL `https://<your
 * site>/auth/callback/azure-ad-b2c` (`/api/auth/…` under Next.js), and set `AUTH_AZURE_AD_B2C_ID`,
 * `AUTH_AZURE_AD_B2C_SECRET` and `AUTH_AZURE_AD_B2C_ISSUER`.
 * The issuer is the authority URL of the tenant and user flow, such as
 * `https://<tenant>.b2clogin.com/<tenant>.onmicrosoft.com/<policy>/v2.0`.
 * Scope: `openid profile email`. The profile gives the name and the e-mail address, but no picture.
 *
 * - The metadata names an issuer without the policy; ID tokens are checked against that one.
 *
 * @deprecated Closed to new customers since May 2025 (Microsoft points to Entra External ID); existing tenants keep
 *   working.
 * @example
 * ```ts
 * import AzureADB2C from "@latchkey/core/providers/azure-ad-b2c"
 * export const provider = AzureADB2C({ issuer: "https://acme.b2clogin.com/acme.onmicrosoft.com/b2c_1_sign_in/v2.0" })
 * ```
 * @see https://learn.microsoft.com/en-us/azure/active-directory-b2c/
 */
const AzureADB2C: ProviderFactory<AzureADB2CProfile> = defineProvider<AzureADB2CProfile>({
  id: "azure-ad-b2c",
  name: "Azure AD B2C",
  type: "oidc",
  deprecated: "Azure AD B2C is closed to new customers since May 2025; Entra External ID takes its place",
  issuerFor: publishedIssuer,
  profile: ({ sub, name, preferred_username, emails }) => ({
    id: sub,
    name: name ?? preferred_username,
    email: emails?.[0],
    image: null,
  }),
  style: { brandColor: "#0072c6" },
})

export default AzureADB2C
