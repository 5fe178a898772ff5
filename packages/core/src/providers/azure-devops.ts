import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/azure-devops.js"

/** The profile that Azure DevOps returns. */
export interface AzureDevOpsProfile extends ServiceProfile {
  readonly id: string
  readonly displayName: string
  readonly emailAddress: string
  readonly coreAttributes: { readonly Avatar: { readonly value: { readonly value: string } } }
}

export interface AzureDevOpsOptions {
  /** @default "vso.profile" */
  readonly scope?: string
}

/**
 * Sign in with Azure DevOps, using OAuth 2.0.
 *
 * 1. Use an application that was registered before April 2025, with the callback URL
 *    `https://<your site>/auth/callback/azure-devops` (`/api/auth/callback/azure-devops` with Next.js).
 * 2. Set `AUTH_AZURE_DEVOPS_ID` and `AUTH_AZURE_DEVOPS_SECRET`.
 *
 * Scope: `vso.profile`. The user gets a name, an email and an image.
 *
 * @deprecated Azure DevOps stopped accepting new applications in April 2025, and Microsoft announced the end of its
 *   OAuth service for 2026. Use `microsoft-entra-id`.
 * @example
 * ```ts
 * import AzureDevOps from "@latchkey/core/providers/azure-devops"
 * export const provider = AzureDevOps()
 * ```
 * @see https://learn.microsoft.com/en-us/azure/devops/integrate/get-started/authentication/azure-devops-oauth
 */
const AzureDevOps: ProviderFactory<AzureDevOpsProfile, AzureDevOpsOptions, "azure-devops"> = defineProvider(
  ({ clientSecret, scope = "vso.profile" }) => ({
    id: "azure-devops",
    name: "Azure DevOps",
    type: "oauth",
    style: { icon },
    deprecated: "Azure DevOps stopped accepting new applications in April 2025. Use the provider microsoft-entra-id.",
    authorization: {
      url: "https://app.vssps.visualstudio.com/oauth2/authorize",
      params: { response_type: "Assertion", scope },
    },
    token: {
      url: "https://app.vssps.visualstudio.com/oauth2/authorize",
      body: ({ code }) => ({
        grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: clientSecret,
        assertion: code,
        client_id: undefined,
        code: undefined,
        code_verifier: undefined,
      }),
    },
    userinfo:
      "https://app.vssps.visualstudio.com/_apis/profile/profiles/me?details=true&coreAttributes=Avatar&api-version=6.0",
    client: { token_endpoint_auth_method: "none" },
    profile: ({ id, displayName, emailAddress, coreAttributes }) => ({
      id,
      name: displayName,
      email: emailAddress,
      image: `data:image/jpeg;base64,${coreAttributes.Avatar.value.value}`,
    }),
  }),
)

export default AzureDevOps
