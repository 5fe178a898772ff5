import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to FACEIT. */
export interface FACEITProfile extends RawProfile {
  readonly guid: string
  readonly name: string
  readonly nickname: string
  readonly email: string
  readonly picture: string
}

/**
 * Sign-in with FACEIT, by OAuth 2.
 *
 * Set-up: register an application at FACEIT with the callback URL `https://<your site>/auth/callback/faceit`
 * (`/api/auth/…` under Next.js), and set `AUTH_FACEIT_ID` and `AUTH_FACEIT_SECRET`.
 * Scope: `openid profile email`. The profile gives the name, the e-mail address and a picture.
 *
 * - The default scope openid profile email makes FACEIT return an ID token although the provider is typed oauth;
 *   validating it against a placeholder issuer fails.
 *
 * @example
 * ```ts
 * import FACEIT from "@latchkey/core/providers/faceit"
 * export const provider = FACEIT()
 * ```
 * @see https://cdn.faceit.com/third_party/docs/FACEIT_Connect_3.0.pdf
 */
const FACEIT: ProviderFactory<FACEITProfile> = defineProvider<FACEITProfile>({
  id: "faceit",
  name: "FACEIT",
  type: "oauth",
  authorization: {
    url: "https://accounts.faceit.com/accounts",
    params: { redirect_popup: "true", scope: "openid profile email" },
  },
  token: "https://api.faceit.com/auth/v1/oauth/token",
  userinfo: "https://api.faceit.com/auth/v1/resources/userinfo",
  profile: ({ guid, name, email, picture }) => ({ id: guid, name, email, image: picture }),
})

export default FACEIT
