import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The claims in an ID token from Logto. */
export interface LogtoProfile extends ServiceProfile {
  readonly sub: string
  readonly name: string
  readonly username: string
  readonly email: string
  readonly picture: string
}

/**
 * Sign in with Logto, using OpenID Connect.
 *
 * 1. Create a traditional web application in the Logto console with the redirect URI
 *    `https://<your site>/auth/callback/logto` (`/api/auth/callback/logto` with Next.js).
 * 2. Set `AUTH_LOGTO_ID` and `AUTH_LOGTO_SECRET`.
 * 3. Set `AUTH_LOGTO_ISSUER` to the endpoint of your tenant and `/oidc`, for example `https://<tenant>.logto.app/oidc`.
 *
 * Scope: `offline_access openid email profile`. The user gets a name, an email and an image.
 *
 * - To get a refresh token, also set `authorization: { params: { prompt: "consent" } }`.
 *
 * @example
 * ```ts
 * import Logto from "@latchkey/core/providers/logto"
 * export const provider = Logto({ issuer: "https://acme.logto.app/oidc" })
 * ```
 * @see https://docs.logto.io/quick-starts/next-auth
 */
const Logto: ProviderFactory<LogtoProfile, object, "logto"> = defineProvider({
  id: "logto",
  name: "Logto",
  type: "oidc",
  authorization: { params: { scope: "offline_access openid email profile" } },
  profile: ({ sub, name, username, email, picture }) => ({
    id: sub,
    name: name ?? username,
    email,
    image: picture,
  }),
})

export default Logto
