import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"
import { icon } from "../provider-kit/generated/icons/simplelogin.js"

/** The claims in an ID token from SimpleLogin. */
export interface SimpleLoginProfile extends ServiceProfile {
  readonly sub: string
  readonly name: string
  readonly email: string
  readonly email_verified: boolean
  readonly avatar_url: string
}

/**
 * Sign in with SimpleLogin, using OpenID Connect.
 *
 * 1. Register an application at https://app.simplelogin.io/developer with the callback URL
 *    `https://<your site>/auth/callback/simplelogin` (`/api/auth/callback/simplelogin` with Next.js).
 * 2. Set `AUTH_SIMPLELOGIN_ID` and `AUTH_SIMPLELOGIN_SECRET`.
 *
 * Scope: `openid profile email`. The user gets a name, an email and an image.
 *
 * @example
 * ```ts
 * import SimpleLogin from "@latchkey/core/providers/simplelogin"
 * export const provider = SimpleLogin()
 * ```
 * @see https://simplelogin.io/docs/siwsl/intro/
 */
const SimpleLogin: ProviderFactory<SimpleLoginProfile, object, "simplelogin"> = defineProvider({
  id: "simplelogin",
  name: "SimpleLogin",
  type: "oidc",
  issuer: "https://app.simplelogin.io",
  profile: ({ sub, name, email, avatar_url }) => ({ id: sub, name, email, image: avatar_url }),
  style: { brandColor: "#e3156a", icon },
})

export default SimpleLogin
