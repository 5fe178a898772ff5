import type { ServiceProfile } from "../model/provider.js"
import { defineProvider, type ProviderFactory } from "../provider-kit/define.js"

/** The profile that Synology returns. */
export interface SynologyProfile extends ServiceProfile {
  readonly sub: string
  readonly username?: string | null
  readonly email?: string | null
  readonly groups: readonly string[]
}

/**
 * Sign in with Synology, using OpenID Connect.
 *
 * 1. Add an OIDC application in the SSO Server of your Synology NAS with the redirect URI
 *    `https://<your site>/auth/callback/synology` (`/api/auth/callback/synology` with Next.js).
 * 2. Set `AUTH_SYNOLOGY_ID` and `AUTH_SYNOLOGY_SECRET`.
 * 3. Set `AUTH_SYNOLOGY_ISSUER` to the URL of the SSO Server, for example `https://<nas>/webman/sso`.
 *
 * Scope: `openid email`. The user gets a name and an email, but no image.
 *
 * @example
 * ```ts
 * import Synology from "@latchkey/core/providers/synology"
 * export const provider = Synology({ issuer: "https://nas.example.com/webman/sso" })
 * ```
 * @see https://kb.synology.com/en-global/DSM/help/SSOServer/sso_server_desc
 */
const Synology: ProviderFactory<SynologyProfile, object, "synology"> = defineProvider({
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
