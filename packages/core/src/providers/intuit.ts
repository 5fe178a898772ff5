import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The profile that Intuit returns. */
export interface IntuitProfile extends ServiceProfile {
  readonly sub: string
  readonly givenName: string
  readonly familyName: string
  readonly email: string
  readonly emailVerified: boolean
}

/**
 * Sign in with Intuit, using OpenID Connect.
 *
 * 1. Register an application at https://developer.intuit.com/app/developer/dashboard with the callback URL
 *    `https://<your site>/auth/callback/intuit` (`/api/auth/callback/intuit` with Next.js).
 * 2. Set `AUTH_INTUIT_ID` and `AUTH_INTUIT_SECRET`.
 *
 * Scope: `openid profile email`. The user gets a name and an email, but no image.
 *
 * - For the sandbox, set `userinfo: "https://sandbox-accounts.platform.intuit.com/v1/openid_connect/userinfo"`.
 *
 * @example
 * ```ts
 * import Intuit from "@latchkey/core/providers/intuit"
 * export const provider = Intuit()
 * ```
 * @see https://developer.intuit.com/app/developer/qbo/docs/develop/authentication-and-authorization/openid-connect
 */
const Intuit: ProviderFactory<IntuitProfile, object, "intuit"> = defineProvider({
  id: "intuit",
  name: "Intuit",
  type: "oidc",
  issuer: "https://oauth.platform.intuit.com/op/v1",
  wellKnown: "https://developer.api.intuit.com/.well-known/openid_configuration",
  authorization: { url: "https://appcenter.intuit.com/connect/oauth2", params: { scope: "openid profile email" } },
  token: "https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer",
  userinfo: "https://accounts.platform.intuit.com/v1/openid_connect/userinfo",
  jwks_endpoint: "https://oauth.platform.intuit.com/op/v1/jwks",
  checks: ["state"],
  client: { token_endpoint_auth_method: "client_secret_basic" },
  idToken: false,
  profile: ({ sub, givenName, familyName, email }) => ({
    id: sub,
    name: [givenName, familyName].filter(Boolean).join(" "),
    email,
    image: null,
  }),
  style: { brandColor: "#236cff" },
})

export default Intuit
