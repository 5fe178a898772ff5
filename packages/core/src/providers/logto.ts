import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** Claims of an ID token of Logto. */
export interface LogtoProfile extends RawProfile {
  readonly sub: string
  readonly name?: string | null
  readonly username: string
  readonly email: string
  readonly picture: string
}

/**
 * Sign-in with Logto, by OpenID Connect.
 *
 * Set-up: register an application at Logto with the callback URL `https://<your site>/auth/callback/logto`
 * (`/api/auth/…` under Next.js), and set `AUTH_LOGTO_ID`, `AUTH_LOGTO_SECRET` and `AUTH_LOGTO_ISSUER`.
 * The issuer is the endpoint plus /oidc, such as `https://<tenant>.logto.app/oidc`.
 * Scope: `offline_access openid email profile`. The profile gives the name, the e-mail address and a picture.
 *
 * - offline_access yields a refresh token only together with prompt=consent.
 *
 * @example
 * ```ts
 * import Logto from "@latchkey/core/providers/logto"
 * export const provider = Logto({ issuer: "https://acme.logto.app/oidc" })
 * ```
 * @see https://docs.logto.io/quick-starts/next-auth
 */
const Logto: ProviderFactory<LogtoProfile> = defineProvider<LogtoProfile>({
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
