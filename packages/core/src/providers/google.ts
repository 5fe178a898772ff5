import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** Claims of an ID token of Google. */
export interface GoogleProfile extends RawProfile {
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
  /** Domain of the organisation that the account belongs to. */
  readonly hd?: string
}

/**
 * Sign-in with Google, by OpenID Connect.
 *
 * Set-up: register an application at Google with the callback URL `https://<your site>/auth/callback/google`
 * (`/api/auth/…` under Next.js), and set `AUTH_GOOGLE_ID` and `AUTH_GOOGLE_SECRET`.
 * Scope: `openid profile email`. The profile is made of the standard claims.
 *
 * - A refresh token comes with `authorization: { params: { access_type: "offline", prompt: "consent" } }`.
 * - The parameter `hd` is only a hint: to admit one organisation, compare the claim `hd` in the `signIn` callback.
 *
 * @example
 * ```ts
 * import Google from "@latchkey/core/providers/google"
 * export const provider = Google()
 * ```
 * @see https://developers.google.com/identity/openid-connect/openid-connect
 */
const Google: ProviderFactory<GoogleProfile> = defineProvider<GoogleProfile>({
  id: "google",
  name: "Google",
  type: "oidc",
  issuer: "https://accounts.google.com",
  style: { brandColor: "#1a73e8" },
})

export default Google
