import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/linkedin.js"

/** The claims in an ID token from LinkedIn. */
export interface LinkedInProfile extends ServiceProfile {
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
 * Sign in with LinkedIn, using OpenID Connect.
 *
 * 1. Register an application at https://www.linkedin.com/developers/apps with the callback URL
 *    `https://<your site>/auth/callback/linkedin` (`/api/auth/callback/linkedin` with Next.js).
 * 2. Set `AUTH_LINKEDIN_ID` and `AUTH_LINKEDIN_SECRET`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * - Add the product "Sign In with LinkedIn using OpenID Connect" to the application.
 *
 * @example
 * ```ts
 * import LinkedIn from "@latchkey/core/providers/linkedin"
 * export const provider = LinkedIn()
 * ```
 * @see https://learn.microsoft.com/en-us/linkedin/consumer/integrations/self-serve/sign-in-with-linkedin-v2
 */
const LinkedIn: ProviderFactory<LinkedInProfile, object, "linkedin"> = defineProvider({
  id: "linkedin",
  name: "LinkedIn",
  type: "oidc",
  issuer: "https://www.linkedin.com/oauth",
  checks: ["state"],
  client: { token_endpoint_auth_method: "client_secret_post" },
  style: { brandColor: "#069", icon },
})

export default LinkedIn
