import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** Claims of an ID token of LinkedIn. */
export interface LinkedInProfile extends RawProfile {
  readonly sub: string
  readonly name: string
  readonly given_name: string
  readonly family_name: string
  readonly picture: string
  readonly locale: string | { readonly country: string; readonly language: string }
  readonly email: string
  readonly email_verified: boolean
}

/**
 * Sign-in with LinkedIn, by OpenID Connect.
 *
 * Set-up: register an application at LinkedIn with the callback URL `https://<your site>/auth/callback/linkedin`
 * (`/api/auth/…` under Next.js), and set `AUTH_LINKEDIN_ID` and `AUTH_LINKEDIN_SECRET`.
 * Scope: `openid profile email`. The profile is made of the standard claims.
 *
 * - PKCE and nonce are not supported by the web flow.
 * - email_verified may arrive as text in the ID token.
 *
 * @example
 * ```ts
 * import LinkedIn from "@latchkey/core/providers/linkedin"
 * export const provider = LinkedIn()
 * ```
 * @see https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2
 */
const LinkedIn: ProviderFactory<LinkedInProfile> = defineProvider<LinkedInProfile>({
  id: "linkedin",
  name: "LinkedIn",
  type: "oidc",
  issuer: "https://www.linkedin.com/oauth",
  checks: ["state"],
  client: { token_endpoint_auth_method: "client_secret_post" },
  style: { brandColor: "#069" },
})

export default LinkedIn
