import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/google.js"

/** The claims in an ID token from Google. */
export interface GoogleProfile extends ServiceProfile {
  readonly sub: string
  readonly iss: string
  readonly aud: string
  readonly azp: string
  readonly iat: number
  readonly exp: number
  readonly at_hash?: string
  readonly nonce?: string
  readonly name: string
  readonly given_name: string
  readonly family_name?: string
  readonly email: string
  readonly email_verified: boolean
  readonly picture: string
  readonly locale?: string
  /** The domain of the Google Workspace organization, if the account belongs to one. */
  readonly hd?: string
}

/**
 * Sign in with Google, using OpenID Connect.
 *
 * 1. Create an OAuth client id for a web application at https://console.cloud.google.com/apis/credentials with the
 *    authorized redirect URI `https://<your site>/auth/callback/google` (`/api/auth/callback/google` with Next.js).
 * 2. Set `AUTH_GOOGLE_ID` and `AUTH_GOOGLE_SECRET`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * - With `tokens: vault`, `access_type=offline` is sent, so that Google sends a refresh token when the user consents for the first time.
 * - To let in one organization only, compare the claim `hd` in the `signIn` callback. The parameter `hd` is just a
 *   hint.
 *
 * @example
 * ```ts
 * import Google from "@latchkey/core/providers/google"
 * export const provider = Google()
 * ```
 * @see https://developers.google.com/identity/openid-connect/openid-connect
 */
const Google: ProviderFactory<GoogleProfile, object, "google"> = defineProvider({
  id: "google",
  name: "Google",
  type: "oidc",
  issuer: "https://accounts.google.com",
  tokens: { params: { access_type: "offline" }, hosts: ["*.googleapis.com"] },
  style: { brandColor: "#1a73e8", icon },
})

export default Google
