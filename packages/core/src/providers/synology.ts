import type { RawProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The signed-in person, as known to Synology. */
export interface SynologyProfile extends RawProfile {
  readonly sub: string
  readonly username?: string | null
  readonly email?: string | null
  readonly groups: readonly string[]
}

/**
 * Sign-in with Synology, by OpenID Connect.
 *
 * Set-up: register an application at Synology with the callback URL `https://<your site>/auth/callback/synology`
 * (`/api/auth/…` under Next.js), and set `AUTH_SYNOLOGY_ID`, `AUTH_SYNOLOGY_SECRET` and `AUTH_SYNOLOGY_ISSUER`.
 * The issuer is the SSO Server base, such as `https://<nas>/webman/sso`.
 * Scope: `openid email`. The profile gives the name and the e-mail address, but no picture.
 *
 * - Self-hosted; discovery is at {base}/webman/sso/.well-known/openid-configuration.
 *
 * @example
 * ```ts
 * import Synology from "@latchkey/core/providers/synology"
 * export const provider = Synology({ issuer: "https://nas.example.com/webman/sso" })
 * ```
 * @see https://kb.synology.com/en-global/DSM/help/SSOServer/sso_server_desc
 */
const Synology: ProviderFactory<SynologyProfile> = defineProvider<SynologyProfile>({
  id: "synology",
  name: "Synology",
  type: "oidc",
  authorization: { params: { scope: "openid email" } },
  checks: ["pkce", "state"],
  client: { token_endpoint_auth_method: "client_secret_basic" },
  idToken: false,
  profile: ({ sub, username, email }) => ({
    id: sub,
    name: username ?? sub,
    email: email ?? null,
    image: null,
  }),
  style: { brandColor: "#0086e5" },
})

export default Synology
